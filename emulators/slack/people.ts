// auth.*, users.*, team.info and files.info.
import type { Reply } from '../kit/wire.ts';
import { cutCursorPage, buildOkReply, createSlackError, getTextArgument } from './methods.ts';
import type { ApiCall, Method } from './methods.ts';
import type { Member, SlackFile, SlackWorld } from './state.ts';

function buildMemberResource(member: Member, withEmail: boolean) {
  const { id, teamId, name, realName, deleted, bot, email, updated } = member;
  return {
    id,
    team_id: teamId,
    name,
    deleted,
    ...(deleted ? {} : { real_name: realName, tz: 'Etc/UTC', tz_offset: 0 }),
    profile: {
      real_name: realName,
      real_name_normalized: realName,
      display_name: name,
      display_name_normalized: name,
      ...(withEmail && email ? { email } : {}),
      ...(bot ? { bot_id: bot.botId, api_app_id: bot.appId } : {}),
      team: teamId,
    },
    is_bot: bot !== undefined,
    is_app_user: false,
    updated,
  };
}

function testAuth({ world, caller }: ApiCall): Reply {
  const team = world.data.teams.get(caller.member.teamId);
  return buildOkReply({
    url: `https://${team?.domain ?? ''}.slack.com/`,
    team: team?.name,
    user: caller.member.name,
    team_id: caller.member.teamId,
    user_id: caller.member.id,
    ...(caller.member.bot ? { bot_id: caller.member.bot.botId } : {}),
    is_enterprise_install: false,
  });
}

function revokeAuth({ world, caller, args }: ApiCall): Reply {
  if (args.test === true) return buildOkReply({ revoked: false });
  const { oauth } = world.data;
  oauth.accessTokens.delete(caller.token);
  for (const token of oauth.refreshTokens.values()) {
    if (token.account === caller.member.id && token.clientId === caller.clientId)
      oauth.refreshTokens.delete(token.token);
  }
  return buildOkReply({ revoked: true });
}

function listUsers(call: ApiCall): Reply {
  const { world, caller, args, now } = call;
  const all = [...world.data.members.values()].filter(({ teamId }) => teamId === caller.member.teamId);
  const page = cutCursorPage(call, all, Number(args.limit ?? (all.length || 1)));
  return buildOkReply({
    members: page.items.map((member) => buildMemberResource(member, caller.scopes.includes('users:read.email'))),
    cache_ts: Math.floor(now.getTime() / 1000),
    response_metadata: { next_cursor: page.next },
  });
}

function showUser(call: ApiCall): Reply {
  const member = call.world.data.members.get(getTextArgument(call, 'user') ?? '');
  if (!member || member.teamId !== call.caller.member.teamId) throw createSlackError('user_not_found');
  return buildOkReply({ user: buildMemberResource(member, call.caller.scopes.includes('users:read.email')) });
}

function showTeam({ world, caller }: ApiCall): Reply {
  return buildOkReply({ team: world.data.teams.get(caller.member.teamId) });
}

/** Where a file's bytes are; the path names team and file. */
export function buildFilePath(file: SlackFile): string {
  return `/files-pri/${file.teamId}-${file.id}/${encodeURIComponent(file.name)}`;
}

/** A file as it is shown in messages and by files.info. */
export function buildSlackFile(world: SlackWorld, file: SlackFile) {
  if (file.deleted) return { id: file.id, mode: 'tombstone' };
  const url = `${world.url}${buildFilePath(file)}`;
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.name,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? '',
    user: file.user,
    user_team: file.teamId,
    size: file.content.length,
    mode: 'hosted',
    is_external: false,
    is_public: world.data.channels.get(file.channelId)?.kind === 'public_channel',
    url_private: url,
    url_private_download: url,
    channels: [file.channelId],
  };
}

/** Whether a caller sees the conversation a file lies in. */
export function canSeeFile(world: SlackWorld, member: Member, file: SlackFile): boolean {
  const channel = world.data.channels.get(file.channelId);
  if (!channel || file.teamId !== member.teamId) return false;
  return channel.kind === 'public_channel' || channel.members.includes(member.id);
}

function showFile(call: ApiCall): Reply {
  const file = call.world.data.files.get(getTextArgument(call, 'file') ?? '');
  if (!file || !canSeeFile(call.world, call.caller.member, file)) throw createSlackError('file_not_found');
  if (file.deleted) throw createSlackError('file_deleted');
  return buildOkReply({ file: buildSlackFile(call.world, file), comments: [], response_metadata: { next_cursor: '' } });
}

/** The methods about people and files. */
export const peopleMethods: Method[] = [
  { name: 'auth.test', args: {}, takesJson: true, handle: testAuth },
  { name: 'auth.revoke', args: { test: { type: 'boolean' } }, handle: revokeAuth },
  {
    name: 'users.list',
    args: {
      cursor: { type: 'string' },
      include_locale: { type: 'boolean' },
      limit: { type: 'integer' },
      team_id: { type: 'string' },
    },
    scopes: ['users:read'],
    handle: listUsers,
  },
  {
    name: 'users.info',
    args: { user: { type: 'string', required: true }, include_locale: { type: 'boolean' } },
    scopes: ['users:read'],
    handle: showUser,
  },
  { name: 'team.info', args: { team: { type: 'string' } }, scopes: ['team:read'], handle: showTeam },
  {
    name: 'files.info',
    args: { file: { type: 'string', required: true }, cursor: { type: 'string' }, limit: { type: 'integer' } },
    scopes: ['files:read'],
    handle: showFile,
  },
];
