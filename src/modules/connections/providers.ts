import { z } from 'zod';

/** Who the linked account is, as the provider tells. */
export type Identity = { accountId: string; account: string };

/** An OAuth 2 provider as data: where its endpoints are and what it wants said. */
export type Provider = {
  name: string;
  label: string;
  issuer: string;
  endpoints: { authorize: string; token: string; revoke: string; identity: string };
  /** Scopes that tell who the account is; asked for with every source. */
  identityScopes: readonly string[];
  /** Further parameters of the authorization request. */
  authorizeWith: Readonly<Record<string, string>>;
  identityOf(answer: unknown): Identity;
};

/** Google's two endpoints of this kind name the account `id` or `sub`. */
const googleIdentity = z
  .object({ id: z.string().min(1).optional(), sub: z.string().min(1).optional(), email: z.string().min(3) })
  .refine(({ id, sub }) => id ?? sub, 'the account has no id');

/** Providers whose accounts can be linked. */
export const providers: readonly Provider[] = [
  {
    name: 'google',
    label: 'Google',
    issuer: 'https://accounts.google.com',
    endpoints: {
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      revoke: 'https://oauth2.googleapis.com/revoke',
      identity: 'https://www.googleapis.com/oauth2/v2/userinfo',
    },
    identityScopes: ['openid', 'email'],
    // Without both of these Google gives a refresh token at the very first consent only.
    authorizeWith: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    identityOf(answer) {
      const { id, sub = '', email } = googleIdentity.parse(answer);
      return { accountId: id ?? sub, account: email };
    },
  },
];

/** What the operator set for a provider. */
export type ProviderSettings = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };

/** Puts the operator's base URL in the place of a provider's host; the path stays. */
export function placed(url: string, baseUrl: string | null): string {
  if (!baseUrl) return url;
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}${search}`;
}
