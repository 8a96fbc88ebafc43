// Installing an app: a bot token for `scope`, a person's token for `user_scope`. Tokens do not expire unless rotation is on.
import { randomBytes } from 'node:crypto';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow, TokenErrorCode } from '../kit/oauth/flow.ts';
import { grantKey } from '../kit/oauth/store.ts';
import type { Client } from '../kit/oauth/store.ts';
import { splitNames } from '../kit/routing.ts';
import type { IncomingRequest, Reply, WireError } from '../kit/wire.ts';
import { buildOkReply, readArguments, createSlackError } from './methods.ts';
import { ensureBot, getMember } from './state.ts';
import type { Member, SlackWorld } from './state.ts';

const knownScopes = splitNames(`
  app_mentions:read channels:history channels:join channels:manage channels:read channels:write chat:write
  chat:write.customize chat:write.public commands emoji:read files:read files:write groups:history groups:read groups:write
  im:history im:read im:write incoming-webhook links:read links:write metadata.message:read mpim:history mpim:read
  mpim:write pins:read pins:write reactions:read reactions:write search:read team:read usergroups:read users:read
  users:read.email users:write users.profile:read
`);

/** Slack's tokens contain only letters and digits. */
function createRandomLetters(): string {
  return randomBytes(24).toString('hex');
}

/** Scopes of the person, not of the bot, carry this mark inside the emulator. */
const personal = 'user/';

const errors: Record<TokenErrorCode, string> = {
  missing_parameter: 'invalid_arguments',
  unknown_client: 'invalid_client_id',
  missing_secret: 'bad_client_secret',
  bad_secret: 'bad_client_secret',
  bad_code: 'invalid_code',
  redirect_mismatch: 'bad_redirect_uri',
  bad_verifier: 'invalid_code',
  bad_refresh_token: 'invalid_refresh_token',
  bad_scope: 'invalid_scope',
  unsupported_grant_type: 'invalid_grant_type',
};

/** The refusal of oauth.v2.access. */
export function createSlackTokenError(code: TokenErrorCode): WireError {
  return createSlackError(errors[code]);
}

function splitScopes(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter(Boolean);
}

/** Slack's authorization server; with `rotation`, tokens live 12 hours and refresh tokens are used once. */
export function createSlackFlow(world: SlackWorld, rotation: boolean): Flow {
  const prefix = rotation ? 'xoxe.' : '';
  return createFlow(world, {
    title: 'Install app',
    authorizePath: '/oauth/v2/authorize',
    parameters: ['user_scope', 'team', 'nonce', 'granular_bot_scope'],
    required: ['client_id'],
    responseType: 'ignored',
    readScopes: (query) => [
      ...splitScopes(query.get('scope')),
      ...splitScopes(query.get('user_scope')).map((scope) => `${personal}${scope}`),
    ],
    isKnownScope: (scope) => knownScopes.includes(scope.replace(personal, '')),
    people: () =>
      [...world.data.members.values()]
        .filter(({ bot, deleted }) => !bot && !deleted)
        .map(({ id, name, teamId }) => ({ key: id, label: `${name} in ${world.data.teams.get(teamId)?.name ?? ''}` })),
    codeSeconds: 600,
    ...(rotation ? { accessTokenSeconds: 43_200 } : {}),
    refresh: { when: () => rotation, rotates: true, reuse: 'refused', graceSeconds: 0 },
    newAccessToken: (account) =>
      `${prefix}${world.data.members.get(account)?.bot ? 'xoxb' : 'xoxp'}-${createRandomLetters()}`,
    newRefreshToken: () => `xoxe-1-${createRandomLetters()}`,
    refuse: createSlackTokenError,
  });
}

type TokenFields = { access_token: string; scope: string; expires_in?: number; refresh_token?: string };

/** A token for a bot or a person. Without rotation an installed app keeps its token and gains the new scopes. */
function issueToken(world: SlackWorld, flow: Flow, member: Member, client: Client, scopes: string[]): TokenFields {
  const { accessTokens, grants } = world.data.oauth;
  const kept = [...accessTokens.values()].find(
    (token) => token.account === member.id && token.clientId === client.id && token.expiresAt === undefined,
  );
  if (kept) {
    kept.scopes = [...new Set([...kept.scopes, ...scopes])];
    grants.set(grantKey(member.id, client.id), kept.scopes);
    return { access_token: kept.token, scope: kept.scopes.join(',') };
  }
  const { access, refresh } = flow.issue({ account: member.id, client, scopes });
  return {
    access_token: access.token,
    scope: scopes.join(','),
    ...(refresh ? { expires_in: 43_200, refresh_token: refresh.token } : {}),
  };
}

/** Installs an app for a person: what oauth.v2.access answers. */
export function install(
  world: SlackWorld,
  flow: Flow,
  input: { person: Member; client: Client; scopes: string[] },
): Record<string, unknown> & { access_token?: string; authed_user: Record<string, unknown> } {
  const { person, client, scopes } = input;
  const own = scopes.filter((scope) => scope.startsWith(personal)).map((scope) => scope.slice(personal.length));
  const botScopes = scopes.filter((scope) => !scope.startsWith(personal));
  const bot = ensureBot(world, client.id, person.teamId);
  const team = world.data.teams.get(person.teamId);
  return {
    app_id: bot.bot?.appId,
    authed_user: {
      id: person.id,
      ...(own.length > 0 ? { ...issueToken(world, flow, person, client, own), token_type: 'user' } : {}),
    },
    ...(botScopes.length > 0
      ? { ...issueToken(world, flow, bot, client, botScopes), token_type: 'bot', bot_user_id: bot.id }
      : {}),
    team: { id: team?.id, name: team?.name },
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** oauth.v2.access, which takes no JSON. */
export function answerAccess(world: SlackWorld, flow: Flow, incoming: IncomingRequest): Reply {
  const form = new URLSearchParams(readArguments(incoming, false) as Record<string, string>);
  const allowed = [
    'client_id',
    'client_secret',
    'code',
    'redirect_uri',
    'grant_type',
    'refresh_token',
    'code_verifier',
  ];
  if ([...form.keys()].some((name) => !allowed.includes(name))) throw createSlackError('invalid_arguments');
  const client = flow.authenticate(incoming.headers, form);
  const grantType = form.get('grant_type') ?? 'authorization_code';
  if (grantType === 'refresh_token') {
    const { access, refresh } = flow.redeemRefreshToken(form, client);
    const member = getMember(world, access.account);
    return buildOkReply({
      access_token: access.token,
      scope: access.scopes.join(','),
      token_type: member.bot ? 'bot' : 'user',
      refresh_token: refresh?.token,
      expires_in: 43_200,
      ...(member.bot ? { bot_user_id: member.id, app_id: member.bot.appId } : {}),
      team: { id: member.teamId, name: world.data.teams.get(member.teamId)?.name },
    });
  }
  if (grantType !== 'authorization_code') throw createSlackTokenError('unsupported_grant_type');
  const code = flow.useCode(form, client);
  return buildOkReply(install(world, flow, { person: getMember(world, code.account), client, scopes: code.scopes }));
}
