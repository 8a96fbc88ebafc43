// Everything Discord's emulator remembers, and the seeds.
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** A person, or an application's bot. */
export type User = {
  id: string;
  username: string;
  globalName: string | null;
  email: string | null;
  /** Whether the person has opened the link that Discord mailed to the address. */
  verified: boolean;
  bot: boolean;
};

/** A server. */
export type Guild = { id: string; name: string; ownerId: string; memberIds: string[] };

/** A text channel. Only some users see a private one, and only the owner writes to a read-only one. */
export type Channel = {
  id: string;
  guildId: string;
  name: string;
  topic: string | null;
  position: number;
  allowed?: string[] | undefined;
  readOnly: boolean;
  /** A thread of a channel, perhaps archived. */
  thread?: { parentId: string; archivedAt: string | null };
};

/** A message. Its id contains its time. */
export type Message = {
  id: string;
  channelId: string;
  authorId: string;
  content: string;
  embeds: unknown[];
  /** 20: the answer of an app to a command. Absent: by whether it is a reply. */
  type?: number;
  /** Forwarded messages, a poll, stickers and files, as the API shows them; hidden with the content. */
  more?: Record<string, unknown>;
  nonce?: string | undefined;
  replyTo?: string | undefined;
  timestamp: string;
  editedTimestamp: string | null;
};

/** All state that requests change. */
export type DiscordData = {
  oauth: OAuthData;
  users: Map<string, User>;
  guilds: Map<string, Guild>;
  channels: Map<string, Channel>;
  messages: Message[];
  /** Bot tokens, with the user each belongs to. */
  botTokens: Map<string, string>;
  increment: number;
};

/** The state and the settings. */
export type DiscordWorld = World<DiscordData> & { messageContent: boolean };

/** An empty world. */
export function createWorld(settings: { now: () => Date; messageContent: boolean }): DiscordWorld {
  const data: DiscordData = {
    oauth: createOAuthData(),
    users: new Map(),
    guilds: new Map(),
    channels: new Map(),
    messages: [],
    botTokens: new Map(),
    increment: 0,
  };
  return { url: '', ...settings, data };
}

/** An id that holds its time: milliseconds since 2015, and a counter. */
export function createSnowflake(world: DiscordWorld, at = world.now()): string {
  world.data.increment = (world.data.increment + 1) % 4096;
  return String((BigInt(at.getTime() - 1_420_070_400_000) << 22n) | BigInt(world.data.increment));
}

/** Discord's times have an offset, not a Z. */
export function stamp(date: Date): string {
  return date.toISOString().replace('Z', '000+00:00');
}

/** A person who has to exist, by id or name. */
export function getDiscordUser(world: DiscordWorld, who: string): User {
  const found = world.data.users.get(who) ?? [...world.data.users.values()].find(({ username }) => username === who);
  if (!found) throw new Error(`There is no user ${who}`);
  return found;
}

/** A channel that has to exist, by id or name. */
export function getDiscordChannel(world: DiscordWorld, which: string): Channel {
  const found = world.data.channels.get(which) ?? [...world.data.channels.values()].find(({ name }) => name === which);
  if (!found) throw new Error(`There is no channel ${which}`);
  return found;
}

/** What a new message is made of. */
export type NewMessage = Pick<Message, 'channelId' | 'authorId' | 'content'> & Partial<Message>;

/** Writes a message. */
export function insertMessage(world: DiscordWorld, input: NewMessage, at: Date): Message {
  const message: Message = {
    id: createSnowflake(world, at),
    embeds: [],
    timestamp: stamp(at),
    editedTimestamp: null,
    ...input,
  };
  world.data.messages.push(message);
  return message;
}
