import { AppError } from '#kernel/errors';
import { bodyJson, diagnose, type Egress } from '#platform/egress';
import type { OAuthClient } from './oauth-client.ts';
import { placed, type Identity } from './providers.ts';

/** Whose account a token belongs to, as the provider tells. */
export async function readIdentity(
  egress: Egress,
  { provider, baseUrl }: OAuthClient,
  accessToken: string,
): Promise<Identity> {
  const response = await egress.request({
    method: 'GET',
    url: placed(provider.endpoints.identity, baseUrl),
    headers: { authorization: `Bearer ${accessToken}` },
    allow: baseUrl ? [baseUrl] : [],
    secrets: [accessToken],
  });
  if (response.status !== 200) {
    const diagnostics = diagnose(response, { secrets: [accessToken] });
    throw new AppError(
      'upstream_failed',
      `${provider.label} did not tell whose account this is. ${diagnostics.resolution}`,
      {
        diagnostics,
      },
    );
  }
  return provider.identityOf(bodyJson(response));
}
