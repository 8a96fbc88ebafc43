// The authorization endpoint: checks the request as Google does, shows the consent page, and redirects with a code.
import { answerConsent, buildConsentPage, buildErrorPage } from '../../kit/oauth/pages.ts';
import { parseChallenge, findChallengeError, grantKey, isRegistered, createRandomText } from '../../kit/oauth/store.ts';
import type { Client } from '../../kit/oauth/store.ts';
import type { Account, GoogleCode, World } from '../accounts.ts';
import { splitNames } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { Call, OpenRoute } from '../routing.ts';
import { isIdentityScope, isKnownScope, readScopes } from './scopes.ts';

const formPath = '/o/oauth2/v2/auth/callback';

type AuthorizationRequest = {
  client: Client;
  redirectUri: string;
  scopes: string[];
  parameters: URLSearchParams;
};

const known = new Set(
  splitNames(`
  client_id redirect_uri response_type scope state access_type prompt login_hint hd nonce
  include_granted_scopes enable_granular_consent code_challenge code_challenge_method approval_prompt display
  hl authuser service flowName response_mode ack_oob_shutdown
`),
);

/** The error page for an invalid request. Checks are in Google's order. */
function findParameterError(world: World, parameters: URLSearchParams): Reply | undefined {
  const read = (name: string) => parameters.get(name) ?? '';
  const invalid = (detail: string) => buildErrorPage(400, 'invalid_request', detail);
  for (const name of ['client_id', 'redirect_uri', 'response_type', 'scope']) {
    if (!read(name)) return invalid(`Required parameter is missing: ${name}`);
  }
  const client = world.data.clients.get(read('client_id'));
  if (!client) return buildErrorPage(401, 'invalid_client', 'The OAuth client was not found.');
  if (!isRegistered(client, read('redirect_uri'))) {
    return buildErrorPage(
      400,
      'redirect_uri_mismatch',
      `You can't sign in because ${client.name} sent an invalid request. redirect_uri=${read('redirect_uri')}`,
    );
  }
  const repeated = [...new Set(parameters.keys())].find((name) => parameters.getAll(name).length > 1);
  if (repeated) return invalid(`OAuth 2 parameters can only have a single value: ${repeated}`);
  const unknown = [...parameters.keys()].find((name) => !known.has(name));
  if (unknown) return invalid(`Parameter not allowed for this message type: ${unknown}`);
  const badScopes = readScopes(read('scope')).filter((scope) => !isKnownScope(scope));
  if (badScopes.length > 0) {
    return buildErrorPage(
      400,
      'invalid_scope',
      `Some requested scopes were invalid. {invalid=[${badScopes.join(', ')}]}`,
    );
  }
  if (read('response_type') !== 'code')
    return buildErrorPage(400, 'unsupported_response_type', `Invalid response_type: ${read('response_type')}`);
  const badChallenge = findChallengeError(parameters);
  return findValueError(read, invalid) ?? (badChallenge ? invalid(badChallenge) : undefined);
}

function findValueError(read: (name: string) => string, invalid: (detail: string) => Reply): Reply | undefined {
  if (!['', 'online', 'offline'].includes(read('access_type')))
    return invalid(`Invalid access_type: ${read('access_type')}`);
  const prompts = read('prompt').split(' ').filter(Boolean);
  if (prompts.some((prompt) => !['none', 'consent', 'select_account'].includes(prompt)))
    return invalid(`Invalid prompt: ${read('prompt')}`);
  return undefined;
}

function checkRequest(world: World, parameters: URLSearchParams): { error: Reply } | { request: AuthorizationRequest } {
  const error = findParameterError(world, parameters);
  const client = world.data.clients.get(parameters.get('client_id') ?? '');
  if (error || !client)
    return { error: error ?? buildErrorPage(401, 'invalid_client', 'The OAuth client was not found.') };
  const redirectUri = parameters.get('redirect_uri') ?? '';
  return { request: { client, redirectUri, scopes: readScopes(parameters.get('scope') ?? ''), parameters } };
}

function redirect(request: AuthorizationRequest, answer: Record<string, string>): Reply {
  const url = new URL(request.redirectUri);
  const state = request.parameters.get('state');
  if (state !== null) url.searchParams.set('state', state);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' }, json: undefined };
}

function grant(call: Call, request: AuthorizationRequest, account: Account, granted: string[]): Reply {
  const { data } = call.world;
  const { parameters, client } = request;
  const key = grantKey(account.email, client.id);
  const before = data.grants.get(key) ?? [];
  data.grants.set(key, [...new Set([...before, ...granted])]);
  const scopes = parameters.get('include_granted_scopes') === 'true' ? [...new Set([...granted, ...before])] : granted;
  const challenge = parseChallenge(parameters);
  const nonce = parameters.get('nonce');
  const forced = (parameters.get('prompt') ?? '').includes('consent') || parameters.get('approval_prompt') === 'force';
  const code: GoogleCode = {
    code: `4/0A${createRandomText(50)}`,
    clientId: client.id,
    account: account.email,
    redirectUri: request.redirectUri,
    scopes,
    offline: parameters.get('access_type') === 'offline',
    forceRefreshToken: forced || before.length === 0,
    ...(challenge ? { challenge } : {}),
    ...(nonce ? { nonce } : {}),
    expiresAt: call.now.getTime() + 600_000,
    used: false,
  };
  data.codes.set(code.code, code);
  return redirect(request, {
    code: code.code,
    scope: scopes.join(' '),
    authuser: '0',
    prompt: forced ? 'consent' : 'none',
  });
}

function findHintedAccount(world: World, hint: string): Account | undefined {
  return (
    world.data.accounts.get(hint.toLowerCase()) ??
    [...world.data.accounts.values()].find((account) => account.id === hint)
  );
}

function startAuthorization(call: Call): Reply {
  const parameters = call.url.searchParams;
  const checked = checkRequest(call.world, parameters);
  if ('error' in checked) return checked.error;
  const { request } = checked;
  const hint = parameters.get('login_hint') ?? '';
  if (parameters.get('prompt') === 'none') {
    const account = findHintedAccount(call.world, hint);
    const granted = call.world.data.grants.get(grantKey(account?.email ?? '', request.client.id)) ?? [];
    const allowed = account && request.scopes.every((scope) => granted.includes(scope));
    return allowed
      ? grant(call, request, account, request.scopes)
      : redirect(request, { error: 'interaction_required' });
  }
  return buildConsentPage({
    title: 'Sign in - Google Accounts',
    action: formPath,
    client: request.client,
    accounts: [...call.world.data.accounts.values()].map(({ name, email }) => ({
      key: email,
      label: `${name} <${email}>`,
    })),
    chosen: findHintedAccount(call.world, hint)?.email ?? '',
    scopes: request.scopes.map((name) => ({ name, fixed: isIdentityScope(name) })),
    parameters,
  });
}

function finishAuthorization(call: Call): Reply {
  const form = new URLSearchParams(call.body.toString('utf8'));
  const checked = checkRequest(call.world, new URLSearchParams(form.get('request') ?? ''));
  if ('error' in checked) return checked.error;
  const { request } = checked;
  if (form.get('decision') !== 'allow') return redirect(request, { error: 'access_denied' });
  const account = call.world.data.accounts.get(form.get('account') ?? '');
  if (!account) return buildErrorPage(400, 'invalid_request', 'Choose an account.');
  const ticked = form.getAll('granted');
  const granted = request.scopes.filter((scope) => isIdentityScope(scope) || ticked.includes(scope));
  if (granted.length === 0) return redirect(request, { error: 'access_denied' });
  return grant(call, request, account, granted);
}

/** Answers the consent page as a person would. `only` unticks every other scope. */
export function approve(url: string, consent: { email: string; deny?: boolean; only?: string[] }): Promise<string> {
  const scopes = readScopes(new URL(url).searchParams.get('scope') ?? '');
  const wanted = consent.only && readScopes(consent.only.join(' '));
  return answerConsent(url, formPath, {
    account: consent.email,
    deny: consent.deny ?? false,
    granted: scopes.filter((scope) => !wanted || wanted.includes(scope) || isIdentityScope(scope)),
  });
}

/** The routes a browser uses. */
export const authorizeRoutes: OpenRoute[] = [
  { method: 'GET', path: '/o/oauth2/v2/auth', api: 'oauth', open: true, handle: startAuthorization },
  { method: 'GET', path: '/o/oauth2/auth', api: 'oauth', open: true, handle: startAuthorization },
  { method: 'POST', path: formPath, api: 'oauth', open: true, handle: finishAuthorization },
];
