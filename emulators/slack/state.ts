// Everything Slack's emulator remembers, and the seeds.
import { randomBytes } from 'node:crypto';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** A workspace. */
export type Team = { id: string; name: string; domain: string };

/** A person or an app's bot. */
export type Member = {
  id: string;
  teamId: string;
  name: string;
  realName: string;
  email: string;
  deleted: boolean;
  /** Set for bots: the app they belong to. */
  bot?: { botId: string; appId: string; clientId: string };
  updated: number;
};

/** A message; `threadTs` of a reply names its parent, whose own equals its `ts`. */
export type Message = {
  ts: string;
  /** Absent for messages of incoming webhooks (`bot_message`), which have a name of their own. */
  user?: string;
  username?: string;
  text: string;
  subtype?: 'thread_broadcast' | 'tombstone' | 'bot_message';
  threadTs?: string;
  edited?: { user: string; ts: string };
  blocks?: unknown[];
  attachments?: Record<string, unknown>[];
  metadata?: { event_type: string; event_payload: Record<string, unknown> };
  fileIds?: string[];
};

/** A conversation. */
export type Channel = {
  id: string;
  teamId: string;
  name: string;
  kind: 'public_channel' | 'private_channel' | 'im';
  archived: boolean;
  members: string[];
  topic: string;
  created: number;
  messages: Message[];
};

/** An uploaded file. */
export type SlackFile = {
  id: string;
  teamId: string;
  name: string;
  mimetype: string;
  user: string;
  content: Buffer;
  channelId: string;
  created: number;
  deleted: boolean;
};

/** All state that requests change. */
export type SlackData = {
  oauth: OAuthData;
  teams: Map<string, Team>;
  members: Map<string, Member>;
  channels: Map<string, Channel>;
  files: Map<string, SlackFile>;
  /** The microseconds part of the last timestamp, so that no two messages share one. */
  lastMicros: number;
};

/** The state and the settings. */
export type SlackWorld = World<SlackData>;

/** An empty world. */
export function createWorld(now: () => Date): SlackWorld {
  const data: SlackData = {
    oauth: createOAuthData(),
    teams: new Map(),
    members: new Map(),
    channels: new Map(),
    files: new Map(),
    lastMicros: 0,
  };
  return { url: '', now, data };
}

/** An id as Slack writes them. */
function newId(prefix: string): string {
  return `${prefix}0${randomBytes(5).toString('hex').toUpperCase().slice(0, 9)}`;
}

/** A timestamp that no other message has. */
export function createTimestamp(world: SlackWorld, at: Date): string {
  world.data.lastMicros = (world.data.lastMicros + 1) % 1000;
  const seconds = Math.floor(at.getTime() / 1000);
  const micros = (at.getTime() % 1000) * 1000 + world.data.lastMicros;
  return `${seconds}.${String(micros).padStart(6, '0')}`;
}

/** Makes a workspace. */
export function addTeam(world: SlackWorld, input: { name: string; domain?: string }): Team {
  const team = {
    id: newId('T'),
    name: input.name,
    domain: input.domain ?? input.name.toLowerCase().replaceAll(/\W+/g, '-'),
  };
  world.data.teams.set(team.id, team);
  return team;
}

/** What `addUser` takes. */
export type UserInput = { name: string; realName?: string; email?: string; team?: string; deleted?: boolean };

/** Adds a person to a workspace, by default to the first one. */
export function addUser(world: SlackWorld, input: UserInput): Member {
  const teamId = input.team ?? [...world.data.teams.keys()][0] ?? '';
  const member: Member = {
    id: newId('U'),
    teamId,
    name: input.name,
    realName: input.realName ?? input.name,
    email: input.email ?? `${input.name}@example.com`,
    deleted: input.deleted ?? false,
    updated: Math.floor(world.now().getTime() / 1000),
  };
  world.data.members.set(member.id, member);
  return member;
}

/** The bot of an app in a workspace; made when it is first installed. */
export function ensureBot(world: SlackWorld, clientId: string, teamId: string): Member {
  const known = [...world.data.members.values()].find(
    (member) => member.bot?.clientId === clientId && member.teamId === teamId,
  );
  if (known) return known;
  const name = world.data.oauth.clients.get(clientId)?.name.toLowerCase().replaceAll(/\W+/g, '_') ?? 'app';
  const bot = addUser(world, { name, email: '', team: teamId });
  bot.bot = { botId: newId('B'), appId: newId('A'), clientId };
  return bot;
}

/** A member who has to exist, by id or name. */
export function getMember(world: SlackWorld, who: string): Member {
  const found = world.data.members.get(who) ?? [...world.data.members.values()].find(({ name }) => name === who);
  if (!found) throw new Error(`There is no member ${who}`);
  return found;
}

/** What `addChannel` takes; members by name or id. */
export type ChannelInput = {
  name: string;
  team?: string;
  kind?: Channel['kind'];
  members?: string[];
  archived?: boolean;
  topic?: string;
};

/** Makes a conversation. */
export function addChannel(world: SlackWorld, input: ChannelInput): Channel {
  const kind = input.kind ?? 'public_channel';
  const channel: Channel = {
    id: newId(kind === 'im' ? 'D' : 'C'),
    teamId: input.team ?? [...world.data.teams.keys()][0] ?? '',
    name: input.name,
    kind,
    archived: input.archived ?? false,
    members: (input.members ?? []).map((who) => getMember(world, who).id),
    topic: input.topic ?? '',
    created: Math.floor(world.now().getTime() / 1000),
    messages: [],
  };
  world.data.channels.set(channel.id, channel);
  return channel;
}

/** A conversation that has to exist, by id or name. */
export function getSlackChannel(world: SlackWorld, which: string): Channel {
  const found = world.data.channels.get(which) ?? [...world.data.channels.values()].find(({ name }) => name === which);
  if (!found) throw new Error(`There is no channel ${which}`);
  return found;
}

/** What a new message is made of. */
export type MessageInput = Omit<Message, 'ts' | 'edited'>;

/** Puts a message into a conversation; the first reply makes its parent a thread. */
export function addMessage(world: SlackWorld, channel: Channel, input: MessageInput, at: Date): Message {
  const message: Message = { ts: createTimestamp(world, at), ...input };
  const parent = channel.messages.find(({ ts }) => ts === input.threadTs);
  if (parent) parent.threadTs = parent.ts;
  channel.messages.push(message);
  return message;
}

/** Takes a message away; a parent with replies leaves a tombstone. */
export function removeMessage(channel: Channel, message: Message): void {
  const hasReplies = channel.messages.some((item) => item !== message && item.threadTs === message.ts);
  if (!hasReplies) {
    channel.messages = channel.messages.filter((item) => item !== message);
    return;
  }
  const { ts, threadTs } = message;
  const tombstone: Message = {
    ts,
    threadTs,
    user: 'USLACKBOT',
    subtype: 'tombstone',
    text: 'This message was deleted.',
  };
  channel.messages = channel.messages.map((item) => (item === message ? tombstone : item));
}

/** Uploads a file into a conversation, which shows it as a message. */
export function addFile(
  world: SlackWorld,
  channel: Channel,
  input: { user: string; name: string; mimetype: string; content: string | Uint8Array },
): SlackFile {
  const file: SlackFile = {
    id: newId('F'),
    teamId: channel.teamId,
    name: input.name,
    mimetype: input.mimetype,
    user: getMember(world, input.user).id,
    content: Buffer.from(input.content),
    channelId: channel.id,
    created: Math.floor(world.now().getTime() / 1000),
    deleted: false,
  };
  world.data.files.set(file.id, file);
  addMessage(world, channel, { user: file.user, text: '', fileIds: [file.id] }, world.now());
  return file;
}
