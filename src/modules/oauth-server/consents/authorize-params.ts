// The parameters of a request to connect that reach oidc-provider.
import type { FormField } from '#platform/forms';
import { offeredScopes } from '../clients/client-scopes.ts';
import type { Resources } from '../resources.ts';

const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'user_code',
  'client_secret',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'device_code',
  'token',
  'token_type_hint',
];

/**
 * The parameters that are used. Clients send others, mainly of OpenID Connect, which mean nothing here. Scopes that
 * nobody can allow are left out, and every form of an address of this server becomes the same one.
 */
export function selectUsedParams(given: readonly FormField[], resources: Resources): URLSearchParams {
  const used = new URLSearchParams();
  for (const [name, value] of given) {
    if (known.includes(name)) used.append(name, value);
    if (name === 'prompt' && value === 'none') used.append(name, value);
    if (name === 'scope') {
      const offered = value.split(' ').filter((scope) => offeredScopes.some((each) => each === scope));
      if (offered.length) used.append(name, offered.join(' '));
    }
  }
  const asked = given.flatMap(([name, value]) => (name === 'resource' ? (resources.canonical(value) ?? value) : []));
  for (const resource of new Set(asked)) used.append('resource', resource);
  return used;
}
