// An authorization server whose peculiarities are data: code, PKCE, refresh with or without rotation, consent.
import type { IncomingHttpHeaders } from 'node:http';
import type { PathCall } from '../routing.ts';
import type { Reply, WireError, World } from '../wire.ts';
import { answerConsent, buildConsentPage, buildErrorPage } from './pages.ts';
import type { AccountChoice } from './pages.ts';
import {
  parseChallenge,
  parseClientCredentials,
  findChallengeError,
  findVerifierError,
  grantKey,
  isRegistered,
  createRandomText,
  revokeFamily,
  isSameSecret,
} from './store.ts';
import type { AccessToken, AuthorizationCode, Client, OAuthData, RefreshToken } from './store.ts';

/** Why the token endpoint refuses. Each provider has its own words and statuses for these. */
export type TokenErrorCode =
  | 'missing_parameter'
  | 'unknown_client'
  | 'missing_secret'
  | 'bad_secret'
  | 'bad_code'
  | 'redirect_mismatch'
  | 'bad_verifier'
  | 'bad_refresh_token'
  | 'bad_scope'
  | 'unsupported_grant_type';

/** What happens when a refresh token comes a second time. */
export type Reuse = 'allowed' | 'refused' | 'revokes_family';

/** What makes one authorization server differ from another. */
export type FlowRules = {
  title: string;
  authorizePath: string;
  /** Parameters beyond those of RFC 6749 and RFC 7636. */
  parameters: readonly string[];
  /** Parameters without which a request is refused; `client_id` always is one. */
  required: readonly string[];
  /** What `response_type` may be; a provider without one ignores it. */
  responseType: 'code' | 'ignored';
  readScopes(query: URLSearchParams): string[];
  isKnownScope(scope: string): boolean;
  people(): AccountChoice[];
  codeSeconds: number;
  /** Absent when access tokens live until they are revoked. */
  accessTokenSeconds?: number | undefined;
  refresh?: {
    when(scopes: readonly string[]): boolean;
    rotates: boolean;
    reuse: Reuse;
    /** How long the old refresh token works after its exchange. */
    graceSeconds: number;
  };
  newCode?: () => string;
  newAccessToken(account: string): string;
  newRefreshToken?: () => string;
  refuse(error: TokenErrorCode, detail: string): WireError;
};

/** Tokens as they were handed out. */
export type IssuedTokens = { access: AccessToken; refresh?: RefreshToken; client: Client };

/** A state with an authorization server in it. */
export type FlowWorld = World<{ oauth: OAuthData }>;

/** A request of the authorization endpoint, as a route. */
type FlowRoute = { method: string; path: string; handle(call: PathCall): Reply };

/** The parts that a provider builds its endpoints from. */
export type Flow = {
  routes: FlowRoute[];
  authenticate(headers: IncomingHttpHeaders, form: URLSearchParams): Client;
  /** Checks a code and uses it up, for providers that hand out more than one token for it. */
  useCode(form: URLSearchParams, client: Client): AuthorizationCode;
  redeemCode(form: URLSearchParams, client: Client): IssuedTokens;
  redeemRefreshToken(form: URLSearchParams, client: Client): IssuedTokens;
  issue(input: { account: string; client: Client; scopes: string[]; family?: string; refresh?: boolean }): IssuedTokens;
  /** The token, when it is known and has not expired. */
  live(token: string | undefined): AccessToken | undefined;
  approve(authorizationUrl: string, consent: { account: string; deny?: boolean }): Promise<string>;
};

const standard = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];
const pkce = ['code_challenge', 'code_challenge_method'];

function findRedirectUri(client: Client, query: URLSearchParams): string | undefined {
  const given = query.get('redirect_uri');
  if (given) return given;
  const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  return typeof only === 'string' ? only : undefined;
}

/** The errors of a request. The first three never redirect to the client. */
function findRequestError(world: FlowWorld, rules: FlowRules, query: URLSearchParams): Reply | undefined {
  const invalid = (detail: string) => buildErrorPage(400, 'invalid_request', detail);
  const client = world.data.oauth.clients.get(query.get('client_id') ?? '');
  if (!client) return buildErrorPage(401, 'invalid_client', `There is no client ${query.get('client_id') ?? ''}`);
  const redirectUri = findRedirectUri(client, query);
  if (!redirectUri || !isRegistered(client, redirectUri)) {
    return buildErrorPage(400, 'redirect_uri_mismatch', `Not registered: redirect_uri=${redirectUri ?? ''}`);
  }
  const missing = rules.required.find((name) => !query.get(name));
  if (missing) return invalid(`Required parameter is missing: ${missing}`);
  const known = [...standard, ...pkce, ...rules.parameters];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown) return invalid(`Unknown parameter: ${unknown}`);
  const repeated = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (repeated) return invalid(`Repeated parameter: ${repeated}`);
  if (rules.responseType === 'code' && query.get('response_type') !== 'code') {
    return buildErrorPage(400, 'unsupported_response_type', `response_type=${query.get('response_type') ?? ''}`);
  }
  const badScope = rules.readScopes(query).find((scope) => !rules.isKnownScope(scope));
  if (badScope) return buildErrorPage(400, 'invalid_scope', `Unknown scope: ${badScope}`);
  const badChallenge = findChallengeError(query);
  return badChallenge ? invalid(badChallenge) : undefined;
}

type RequestCheck = { error: Reply } | { client: Client; redirectUri: string };

function checkRequest(world: FlowWorld, rules: FlowRules, query: URLSearchParams): RequestCheck {
  const error = findRequestError(world, rules, query);
  const client = world.data.oauth.clients.get(query.get('client_id') ?? '');
  const redirectUri = client && findRedirectUri(client, query);
  if (error || !client || !redirectUri) return { error: error ?? buildErrorPage(401, 'invalid_client', '') };
  return { client, redirectUri };
}

function redirect(to: string, query: URLSearchParams, answer: Record<string, string>): Reply {
  const url = new URL(to);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  const state = query.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } };
}

function createBrowserRoutes(world: FlowWorld, rules: FlowRules, formPath: string): FlowRoute[] {
  const start = ({ url }: PathCall): Reply => {
    const checked = checkRequest(world, rules, url.searchParams);
    if ('error' in checked) return checked.error;
    return buildConsentPage({
      title: rules.title,
      action: formPath,
      client: checked.client,
      accounts: rules.people(),
      chosen: url.searchParams.get('login_hint') ?? url.searchParams.get('login') ?? '',
      scopes: rules.readScopes(url.searchParams).map((name) => ({ name, fixed: true })),
      parameters: url.searchParams,
    });
  };
  const finish = (call: PathCall): Reply => {
    const form = new URLSearchParams(call.body.toString('utf8'));
    const query = new URLSearchParams(form.get('request') ?? '');
    const checked = checkRequest(world, rules, query);
    if ('error' in checked) return checked.error;
    if (form.get('decision') !== 'allow') return redirect(checked.redirectUri, query, { error: 'access_denied' });
    const account = rules.people().find(({ key }) => key === form.get('account'))?.key;
    if (!account) return buildErrorPage(400, 'invalid_request', 'Choose an account.');
    const challenge = parseChallenge(query);
    const code: AuthorizationCode = {
      code: rules.newCode?.() ?? createRandomText(30),
      clientId: checked.client.id,
      account,
      redirectUri: checked.redirectUri,
      scopes: rules.readScopes(query),
      ...(challenge ? { challenge } : {}),
      expiresAt: call.now.getTime() + rules.codeSeconds * 1000,
      used: false,
    };
    world.data.oauth.codes.set(code.code, code);
    return redirect(checked.redirectUri, query, { code: code.code });
  };
  return [
    { method: 'GET', path: rules.authorizePath, handle: start },
    { method: 'POST', path: formPath, handle: finish },
  ];
}

function authenticate(world: FlowWorld, rules: FlowRules, headers: IncomingHttpHeaders, form: URLSearchParams): Client {
  const { id, secret } = parseClientCredentials(headers, form);
  if (!id) throw rules.refuse('missing_parameter', 'client_id');
  const client = world.data.oauth.clients.get(id);
  if (!client) throw rules.refuse('unknown_client', id);
  if (!secret) throw rules.refuse('missing_secret', id);
  if (!isSameSecret(secret, client.secret)) throw rules.refuse('bad_secret', id);
  return client;
}

function useCode(world: FlowWorld, rules: FlowRules, form: URLSearchParams, client: Client): AuthorizationCode {
  const given = form.get('code');
  if (!given) throw rules.refuse('missing_parameter', 'code');
  const code = world.data.oauth.codes.get(given);
  if (!code || code.clientId !== client.id) throw rules.refuse('bad_code', 'unknown');
  if (code.used) {
    // RFC 6749 4.1.2: a second use revokes what the first one got.
    revokeFamily(world.data.oauth, code.code);
    throw rules.refuse('bad_code', 'used');
  }
  if (code.expiresAt <= world.now().getTime()) throw rules.refuse('bad_code', 'expired');
  const redirectUri = form.get('redirect_uri');
  if (redirectUri === null && rules.required.includes('redirect_uri')) {
    throw rules.refuse('missing_parameter', 'redirect_uri');
  }
  if (redirectUri !== null && redirectUri !== code.redirectUri) throw rules.refuse('redirect_mismatch', redirectUri);
  const wrong = findVerifierError(code.challenge, form.get('code_verifier'));
  if (wrong) throw rules.refuse('bad_verifier', wrong);
  code.used = true;
  return code;
}

function redeemCode(world: FlowWorld, rules: FlowRules, form: URLSearchParams, client: Client): IssuedTokens {
  const { account, scopes, code } = useCode(world, rules, form, client);
  return issue(world, rules, { account, client, scopes, family: code });
}

function issue(
  world: FlowWorld,
  rules: FlowRules,
  input: { account: string; client: Client; scopes: string[]; family?: string; refresh?: boolean },
): IssuedTokens {
  const { oauth } = world.data;
  const { account, client, scopes } = input;
  const family = input.family ?? createRandomText(12);
  const shared = { clientId: client.id, account, scopes, family };
  const seconds = rules.accessTokenSeconds;
  const access: AccessToken = {
    token: rules.newAccessToken(account),
    ...shared,
    ...(seconds === undefined ? {} : { expiresAt: world.now().getTime() + seconds * 1000 }),
  };
  oauth.accessTokens.set(access.token, access);
  oauth.grants.set(grantKey(account, client.id), [
    ...new Set([...(oauth.grants.get(grantKey(account, client.id)) ?? []), ...scopes]),
  ]);
  if (!rules.refresh?.when(scopes) || input.refresh === false) return { access, client };
  const refresh: RefreshToken = { token: rules.newRefreshToken?.() ?? createRandomText(32), ...shared };
  oauth.refreshTokens.set(refresh.token, refresh);
  return { access, refresh, client };
}

function redeemRefreshToken(world: FlowWorld, rules: FlowRules, form: URLSearchParams, client: Client): IssuedTokens {
  const { oauth } = world.data;
  const given = form.get('refresh_token');
  if (!given) throw rules.refuse('missing_parameter', 'refresh_token');
  const kept = oauth.refreshTokens.get(given);
  if (!rules.refresh || !kept || kept.clientId !== client.id) throw rules.refuse('bad_refresh_token', 'unknown');
  const now = world.now().getTime();
  const { reuse, graceSeconds, rotates } = rules.refresh;
  if (kept.usedAt !== undefined && reuse !== 'allowed' && now >= kept.usedAt + graceSeconds * 1000) {
    if (reuse === 'revokes_family' && kept.family) revokeFamily(oauth, kept.family);
    throw rules.refuse('bad_refresh_token', 'used');
  }
  const asked = rules.readScopes(form);
  const beyond = asked.find((scope) => !kept.scopes.includes(scope));
  if (beyond) throw rules.refuse('bad_scope', beyond);
  kept.usedAt ??= now;
  const { account, scopes, family } = kept;
  const issued = issue(world, rules, { account, client, scopes, ...(family ? { family } : {}), refresh: rotates });
  return rotates ? issued : { ...issued, refresh: kept };
}

/** An authorization server by its rules, on the `oauth` part of a state. */
export function createFlow(world: FlowWorld, rules: FlowRules): Flow {
  const formPath = `${rules.authorizePath}/consent`;
  return {
    routes: createBrowserRoutes(world, rules, formPath),
    authenticate: (headers, form) => authenticate(world, rules, headers, form),
    useCode: (form, client) => useCode(world, rules, form, client),
    redeemCode: (form, client) => redeemCode(world, rules, form, client),
    redeemRefreshToken: (form, client) => redeemRefreshToken(world, rules, form, client),
    issue: (input) => issue(world, rules, input),
    live(token) {
      const kept = token === undefined ? undefined : world.data.oauth.accessTokens.get(token);
      return kept?.expiresAt !== undefined && kept.expiresAt <= world.now().getTime() ? undefined : kept;
    },
    approve: (url, consent) => answerConsent(url, formPath, consent),
  };
}
