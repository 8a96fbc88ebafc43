// Everything the emulator of Telegram's Bot API remembers.
import type { World } from '../kit/wire.ts';

/** A person of Telegram. */
export type User = { id: number; firstName: string; username?: string | undefined };

/** A private chat has its person's id; groups have negative ids. */
export type Chat = {
  id: number;
  type: 'private' | 'group';
  title?: string | undefined;
  userIds: number[];
  botIds: number[];
};

/** One button below a message. */
export type Button = { text: string; callback_data?: string | undefined; url?: string | undefined };

/** A message of a chat. */
export type Message = {
  id: number;
  chatId: number;
  fromId: number;
  text: string;
  date: number;
  editDate?: number;
  keyboard?: Button[][] | undefined;
  replyTo?: number | undefined;
  fileId?: string;
};

/** A file that was sent to a bot. */
export type File = { id: string; name: string; mimeType: string; content: Buffer };

/** Where updates are posted to. */
export type Webhook = {
  url: string;
  secretToken?: string | undefined;
  allowed?: string[] | undefined;
  lastError?: string;
  lastErrorDate?: number;
};

/** An update that waits for its bot. */
export type Update = { update_id: number } & Record<string, unknown>;

/** A bot with what waits for it. */
export type Bot = {
  id: number;
  token: string;
  username: string;
  name: string;
  updates: Update[];
  lastUpdate: number;
  webhook?: Webhook | undefined;
  commands: unknown[];
};

/** What a bot answered to a pressed button. */
export type CallbackAnswer = { queryId: string; userId: number; text?: string | undefined; alert: boolean };

/** All state that requests change. */
export type TelegramData = {
  bots: Map<string, Bot>;
  users: Map<number, User>;
  chats: Map<number, Chat>;
  messages: Message[];
  files: Map<string, File>;
  /** Pressed buttons that wait for an answer, with who pressed and when. */
  queries: Map<string, { userId: number; botId: number; at: number }>;
  answers: CallbackAnswer[];
  /** `user bot` of those who blocked a bot. */
  blocked: Set<string>;
  lastId: number;
};

/** The state. */
export type TelegramWorld = World<TelegramData>;

/** An empty state. */
export function createWorld(now: () => Date): TelegramWorld {
  const data: TelegramData = {
    bots: new Map(),
    users: new Map(),
    chats: new Map(),
    messages: [],
    files: new Map(),
    queries: new Map(),
    answers: [],
    blocked: new Set(),
    lastId: 1000,
  };
  return { url: '', now, data };
}

/** Telegram's timestamps: seconds since 1970. */
export function toUnixSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

function buildSenderResource({ data }: TelegramWorld, id: number) {
  const user = data.users.get(id);
  if (user)
    return {
      id,
      is_bot: false,
      first_name: user.firstName,
      ...(user.username ? { username: user.username } : {}),
      language_code: 'en',
    };
  const bot = [...data.bots.values()].find((item) => item.id === id);
  return { id, is_bot: true, first_name: bot?.name ?? '', username: bot?.username };
}

/** A chat as it is shown. */
export function buildChatResource({ data }: TelegramWorld, chat: Chat) {
  if (chat.type === 'group') return { id: chat.id, type: chat.type, title: chat.title };
  const user = data.users.get(chat.id);
  return {
    id: chat.id,
    type: chat.type,
    first_name: user?.firstName,
    ...(user?.username ? { username: user.username } : {}),
  };
}

/** A message as it is shown; only links and commands become entities. */
export function buildTelegramMessage(world: TelegramWorld, message: Message): Record<string, unknown> {
  const chat = world.data.chats.get(message.chatId);
  const file = world.data.files.get(message.fileId ?? '');
  const command = /^\/[a-z0-9_]+(@\w+)?/i.exec(message.text)?.[0];
  const repliedTo = world.data.messages.find(({ id, chatId }) => id === message.replyTo && chatId === message.chatId);
  return {
    message_id: message.id,
    from: buildSenderResource(world, message.fromId),
    chat: chat && buildChatResource(world, chat),
    date: message.date,
    ...(message.editDate ? { edit_date: message.editDate } : {}),
    ...(file
      ? {
          document: {
            file_id: file.id,
            file_unique_id: file.id.slice(-12),
            file_name: file.name,
            mime_type: file.mimeType,
            file_size: file.content.length,
          },
          ...(message.text ? { caption: message.text } : {}),
        }
      : { text: message.text }),
    ...(command && !file ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {}),
    ...(message.keyboard ? { reply_markup: { inline_keyboard: message.keyboard } } : {}),
    ...(repliedTo ? { reply_to_message: buildTelegramMessage(world, { ...repliedTo, replyTo: undefined }) } : {}),
  };
}

/** Adds a message to a chat. */
export function addMessage(world: TelegramWorld, input: Omit<Message, 'id' | 'date'>): Message {
  world.data.lastId += 1;
  const message = { id: world.data.lastId, date: toUnixSeconds(world.now()), ...input };
  world.data.messages.push(message);
  return message;
}

/** Queues an update for a bot. */
export function queueUpdate(bot: Bot, update: Record<string, unknown>): void {
  bot.lastUpdate += 1;
  bot.updates.push({ update_id: bot.lastUpdate, ...update });
}
