// The web flow of an OAuth app: tokens do not expire, errors answer 200, and the answer is a form unless JSON is asked for.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow, TokenErrorCode } from '../kit/oauth/flow.ts';
import { parseClientCredentials, revokeGrant, isSameSecret } from '../kit/oauth/store.ts';
import type { AccessToken, Client } from '../kit/oauth/store.ts';
import { splitNames, getPathParameter } from '../kit/routing.ts';
import { WireError } from '../kit/wire.ts';
import type { Reply } from '../kit/wire.ts';
import { createNotVisibleError, createGitHubError, createInvalidFieldsError } from './errors.ts';
import { buildSignedInUser } from './resources.ts';
import type { Call, Route } from './routing.ts';
import { stamp, getGitHubUser } from './state.ts';
import type { GitHubWorld } from './state.ts';

const knownScopes = splitNames(`
  repo repo:status repo_deployment public_repo repo:invite security_events gist notifications user read:user user:email
  user:follow project read:project delete_repo workflow codespace admin:repo_hook write:repo_hook read:repo_hook
  admin:org write:org read:org admin:org_hook admin:public_key write:public_key read:public_key write:packages
  read:packages delete:packages admin:gpg_key write:gpg_key read:gpg_key write:discussion read:discussion read:audit_log
`);

const errors: Record<TokenErrorCode, [error: string, description: string]> = {
  missing_parameter: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  unknown_client: ['incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.'],
  missing_secret: ['incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.'],
  bad_secret: ['incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.'],
  bad_code: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  redirect_mismatch: [
    'redirect_uri_mismatch',
    'The redirect_uri MUST match the registered callback URL for this application.',
  ],
  bad_verifier: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  bad_refresh_token: ['bad_refresh_token', 'The refresh token passed is incorrect or expired.'],
  bad_scope: ['invalid_scope', 'The scope is unknown.'],
  unsupported_grant_type: ['unsupported_grant_type', 'The grant type is not supported.'],
};

/** The error of the token endpoint; its status is 200. */
export function createGitHubTokenError(code: TokenErrorCode): WireError {
  const [error, description] = errors[code];
  return new WireError(200, error, {
    error,
    error_description: description,
    error_uri: 'https://docs.github.com/apps',
  });
}

/** GitHub's authorization server. */
export function createGitHubFlow(world: GitHubWorld): Flow {
  return createFlow(world, {
    title: 'Authorize application',
    authorizePath: '/login/oauth/authorize',
    parameters: ['login', 'allow_signup', 'prompt'],
    required: ['client_id'],
    responseType: 'ignored',
    readScopes: (query) => (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean),
    isKnownScope: (scope) => knownScopes.includes(scope),
    people: () =>
      [...world.data.users.values()].map(({ login, name }) => ({ key: login, label: `${name} (${login})` })),
    codeSeconds: 600,
    newCode: () => randomBytes(10).toString('hex'),
    newAccessToken: () => `gho_${randomBytes(18).toString('hex')}`,
    refuse: createGitHubTokenError,
  });
}

function parseForm(call: Call): URLSearchParams {
  const source = call.body.toString('utf8');
  if (!(call.headers['content-type'] ?? '').includes('json')) return new URLSearchParams(source || call.url.search);
  const checked = checkJson(z.record(z.string(), z.string()), source);
  return new URLSearchParams('value' in checked ? checked.value : {});
}

/** JSON when asked for, else a form: the default surprises. */
function formatTokenReply(call: Call, json: Record<string, string>): Reply {
  if ((call.headers.accept ?? '').includes('application/json')) return { json };
  const content = Buffer.from(new URLSearchParams(json).toString());
  return { bytes: { contentType: 'application/x-www-form-urlencoded; charset=utf-8', content } };
}

function exchange(flow: Flow, call: Call): Reply {
  const form = parseForm(call);
  try {
    const { access } = flow.redeemCode(form, flow.authenticate(call.headers, form));
    return formatTokenReply(call, { access_token: access.token, token_type: 'bearer', scope: access.scopes.join(',') });
  } catch (error) {
    if (error instanceof WireError) return formatTokenReply(call, error.body as Record<string, string>);
    throw error;
  }
}

/** The app of the path, by its Basic credentials, and the token it asks about. */
function getAppToken(call: Call): { client: Client; token: AccessToken } {
  const { id, secret, basic } = parseClientCredentials(call.headers, new URLSearchParams());
  const client = call.world.data.oauth.clients.get(getPathParameter(call, 'client_id'));
  if (!basic || !client || id !== client.id || !secret || !isSameSecret(secret, client.secret))
    throw createNotVisibleError();
  const checked = checkJson(z.strictObject({ access_token: z.string() }), call.body.toString('utf8'));
  if (!('value' in checked)) {
    throw createInvalidFieldsError({ resource: 'OauthAccess', field: 'access_token', code: 'missing_field' });
  }
  const token = call.world.data.oauth.accessTokens.get(checked.value.access_token);
  if (!token || token.clientId !== client.id) throw createNotVisibleError();
  return { client, token };
}

function checkToken(call: Call): Reply {
  const { client, token } = getAppToken(call);
  return {
    json: {
      id: 1,
      token: token.token,
      app: { client_id: client.id, name: client.name, url: '' },
      scopes: token.scopes,
      user: buildSignedInUser(call.world, getGitHubUser(call.world, token.account)),
      expires_at: null,
      created_at: stamp(call.now),
    },
  };
}

function deleteToken(call: Call): Reply {
  call.world.data.oauth.accessTokens.delete(getAppToken(call).token.token);
  return { status: 204 };
}

function deleteGrant(call: Call): Reply {
  const { client, token } = getAppToken(call);
  revokeGrant(call.world.data.oauth, token.account, client.id);
  return { status: 204 };
}

/** The routes of an app. */
export function createOAuthRoutes(flow: Flow): Route[] {
  return [
    ...flow.routes,
    { method: 'POST', path: '/login/oauth/access_token', handle: (call) => exchange(flow, call) },
    { method: 'POST', path: '/applications/:client_id/token', handle: checkToken },
    { method: 'DELETE', path: '/applications/:client_id/token', handle: deleteToken },
    { method: 'DELETE', path: '/applications/:client_id/grant', handle: deleteGrant },
  ];
}

/** 401 of the API. */
export function createCredentialsError(): WireError {
  return createGitHubError(401, 'Bad credentials');
}
