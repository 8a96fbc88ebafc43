// A strict, stateful emulator of Telegram's Bot API, with people who type and press buttons. See README.md.
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter } from '../kit/quota.ts';
import type { Dialect } from '../kit/server.ts';
import type { IncomingRequest, Reply, WireError } from '../kit/wire.ts';
import { methods, readParameters, readPoll, createTelegramError, takeUpdates, createTooManyError } from './methods.ts';
import { addMessage, createWorld, buildTelegramMessage, queueUpdate, toUnixSeconds } from './state.ts';
import type { Bot, CallbackAnswer, Chat, Message, TelegramWorld, User } from './state.ts';

/** How the emulator starts. */
export type TelegramEmulatorOptions = EmulatorOptions & {
  /** A limit of messages per chat; none by default. */
  quota?: Quota;
  /** How long a webhook that failed is left alone, in milliseconds; 200 by default. */
  webhookRetryMs?: number;
};

/** A running emulator. */
export type TelegramEmulator = Emulator & {
  addBot(bot: { username: string; name?: string; token?: string }): Bot;
  /** The bot of that name. */
  bot(username: string): Bot;
  addUser(user: { firstName: string; username?: string }): User;
  /** A group with people and bots in it. */
  addGroup(group: { title: string; users: User[]; bots: Bot[] }): Chat;
  /** A person writes to a bot, or into a group. */
  type(user: User, to: Bot | Chat, text: string, options?: { replyTo?: Message }): Message;
  /** A person sends a file to a bot. */
  sendFile(
    user: User,
    to: Bot,
    file: { name: string; mimeType: string; content: string | Uint8Array; caption?: string },
  ): Message;
  /** A person presses the button with this text below a message; answers the id of the query. */
  press(user: User, message: Message, button: string): string;
  /** A person changes what they wrote. */
  edit(message: Message, text: string): void;
  /** A person blocks a bot, or unblocks it. */
  block(user: User, bot: Bot, blocked?: boolean): void;
  /** The messages of a chat. A private chat is named by its person. */
  messages(chat: User | Chat): Message[];
  /** What bots answered to pressed buttons. */
  answers(): CallbackAnswer[];
  /** Ends a bot's token, as BotFather can. */
  revokeToken(bot: Bot): void;
  setQuota(quota: Quota | undefined): void;
};

/** A poll that waits: it is woken by an update, by its end, or by a second poll of the same bot. */
type WaitingPoll = { wake(): void; replace(): void };

type TelegramParts = { world: TelegramWorld; quota: QuotaMeter; waiting: Map<string, WaitingPoll> };

function parseBotPath({ url }: IncomingRequest): { token: string; rest: string; isFile: boolean } | undefined {
  const [, file, token = '', rest = ''] = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
  return token ? { token, rest: decodeURIComponent(rest), isFile: file !== undefined } : undefined;
}

function download({ world }: TelegramParts, path: string): Reply {
  const [, id = ''] = /^documents\/([^/]+)\//.exec(path) ?? [];
  const file = world.data.files.get(id);
  if (!file) throw createTelegramError(404, 'Not Found');
  return { bytes: { contentType: 'application/octet-stream', content: file.content } };
}

/** Waits for updates; a second poll of the same bot ends the first with 409. */
function poll(parts: TelegramParts, bot: Bot, given: Record<string, unknown>): Reply | Promise<Reply> {
  if (bot.webhook)
    throw createTelegramError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  const args = readPoll(given);
  parts.waiting.get(bot.token)?.replace();
  const found = takeUpdates(bot, args);
  if (found.length > 0 || !args.timeout) return { json: { ok: true, result: found } };
  const gate = Promise.withResolvers<'woken' | 'replaced'>();
  const timer = setTimeout(() => gate.resolve('woken'), args.timeout * 1000);
  const own: WaitingPoll = { wake: () => gate.resolve('woken'), replace: () => gate.resolve('replaced') };
  parts.waiting.set(bot.token, own);
  return gate.promise.then((how) => {
    clearTimeout(timer);
    if (parts.waiting.get(bot.token) === own) parts.waiting.delete(bot.token);
    if (how === 'replaced') {
      throw createTelegramError(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      );
    }
    return { json: { ok: true, result: takeUpdates(bot, args) } };
  });
}

function answer(parts: TelegramParts, incoming: IncomingRequest): Reply | Promise<Reply> {
  const { world, quota } = parts;
  const path = parseBotPath(incoming);
  if (!path || !['GET', 'POST'].includes(incoming.method)) throw createTelegramError(404, 'Not Found');
  const bot = world.data.bots.get(path.token);
  if (!bot) throw createTelegramError(401, 'Unauthorized');
  if (path.isFile) return download(parts, path.rest);
  const name = path.rest.toLowerCase();
  const given = readParameters(incoming);
  if (name === 'getupdates') return poll(parts, bot, given);
  const method = Object.entries(methods).find(([known]) => known.toLowerCase() === name)?.[1];
  if (!method) throw createTelegramError(404, 'Not Found');
  const now = world.now();
  if (name === 'sendmessage') {
    const quotaState = quota.count(String(given.chat_id), now);
    if (quotaState?.exceeded)
      throw createTooManyError(Math.max(1, Math.ceil((quotaState.resetsAt.getTime() - now.getTime()) / 1000)));
  }
  return { json: { ok: true, result: method({ world, bot, now }, given) } };
}

const words: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 409: 'Conflict', 502: 'Bad Gateway' };

function buildOrderedReply(order: OrderedAnswer): Reply {
  const wanted: WireError =
    order.kind === 'invalid_grant'
      ? createTelegramError(401, 'Unauthorized')
      : order.kind === 'rate_limited' || order.status === 429
        ? createTooManyError(order.kind === 'status' ? (order.retryAfter ?? 5) : 5)
        : createTelegramError(order.status, order.reason ?? words[order.status] ?? 'Internal Server Error');
  return { status: wanted.status, json: wanted.body };
}

function createDialect(parts: TelegramParts): Dialect {
  return {
    findAccount: (incoming) => parts.world.data.bots.get(parseBotPath(incoming)?.token ?? '')?.username,
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { ok: false, error_code: 500, description: detail } }),
  };
}

/** Posts updates to webhooks in order, and repeats each until it is accepted. */
function createPump(world: TelegramWorld, retryMs: number) {
  const stopped = new AbortController();
  const busy = new Set<string>();
  const post = async (bot: Bot): Promise<boolean> => {
    const { webhook, updates } = bot;
    const update = updates[0];
    if (!webhook || !update) return false;
    if (webhook.allowed?.length && !webhook.allowed.some((name) => name in update)) {
      bot.updates = updates.filter((item) => item !== update);
      return true;
    }
    const secret: Record<string, string> = webhook.secretToken
      ? { 'x-telegram-bot-api-secret-token': webhook.secretToken }
      : {};
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...secret },
        body: JSON.stringify(update),
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(10_000)]),
      });
      if (!response.ok) throw new Error(`Wrong response from the webhook: ${response.status}`);
      bot.updates = bot.updates.filter((item) => item !== update);
    } catch (error) {
      if (stopped.signal.aborted) return false;
      Object.assign(webhook, { lastError: String(error), lastErrorDate: toUnixSeconds(world.now()) });
      await wait(retryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    return !stopped.signal.aborted;
  };
  return {
    async run(bot: Bot): Promise<void> {
      if (busy.has(bot.token)) return;
      busy.add(bot.token);
      while (await post(bot));
      busy.delete(bot.token);
    },
    stop: () => stopped.abort(),
  };
}

function createPeople(world: TelegramWorld, notify: (bot: Bot) => void) {
  const { data } = world;
  const send = (bots: Bot[], update: () => Record<string, unknown>) => {
    for (const bot of bots) {
      queueUpdate(bot, update());
      notify(bot);
    }
  };
  const listBots = (chat: Chat) => [...data.bots.values()].filter(({ id }) => chat.botIds.includes(id));
  const chatWith = (user: User, to: Bot | Chat): Chat => {
    if (!('token' in to)) return to;
    const chat = data.chats.get(user.id);
    if (!chat) throw new Error(`There is no chat of ${user.firstName}`);
    if (!chat.botIds.includes(to.id)) chat.botIds.push(to.id);
    return chat;
  };
  const say = (chat: Chat, to: Bot | Chat, message: Message): Message => {
    // In a private chat only the bot that is written to hears it.
    send('token' in to ? [to] : listBots(chat), () => ({ message: buildTelegramMessage(world, message) }));
    return message;
  };
  return {
    type(user: User, to: Bot | Chat, text: string, options: { replyTo?: Message } = {}): Message {
      const chat = chatWith(user, to);
      return say(chat, to, addMessage(world, { chatId: chat.id, fromId: user.id, text, replyTo: options.replyTo?.id }));
    },
    sendFile(
      user: User,
      to: Bot,
      file: { name: string; mimeType: string; content: string | Uint8Array; caption?: string },
    ): Message {
      const chat = chatWith(user, to);
      const id = `BQAC${randomBytes(30).toString('base64url')}`;
      data.files.set(id, { id, name: file.name, mimeType: file.mimeType, content: Buffer.from(file.content) });
      return say(
        chat,
        to,
        addMessage(world, { chatId: chat.id, fromId: user.id, text: file.caption ?? '', fileId: id }),
      );
    },
    press(user: User, message: Message, button: string): string {
      const current = data.messages.find(({ id }) => id === message.id);
      const pressed = current?.keyboard?.flat().find(({ text }) => text === button);
      const bot = [...data.bots.values()].find(({ id }) => id === message.fromId);
      if (!current || !bot || pressed?.callback_data === undefined)
        throw new Error(`There is no button ${button} to press`);
      const queryId = String(randomInt(1e12, 9e12));
      data.queries.set(queryId, { userId: user.id, botId: bot.id, at: toUnixSeconds(world.now()) });
      const from = {
        id: user.id,
        is_bot: false,
        first_name: user.firstName,
        ...(user.username ? { username: user.username } : {}),
      };
      const shown = buildTelegramMessage(world, current);
      send([bot], () => ({
        callback_query: {
          id: queryId,
          from,
          message: shown,
          chat_instance: String(current.chatId),
          data: pressed.callback_data,
        },
      }));
      return queryId;
    },
    edit(message: Message, text: string): void {
      Object.assign(message, { text, editDate: toUnixSeconds(world.now()) });
      const chat = data.chats.get(message.chatId);
      if (chat) send(listBots(chat), () => ({ edited_message: buildTelegramMessage(world, message) }));
    },
    block(user: User, bot: Bot, blocked = true): void {
      const key = `${user.id} ${bot.id}`;
      if (blocked) data.blocked.add(key);
      else data.blocked.delete(key);
    },
  };
}

function createSeeding({ data }: TelegramWorld) {
  return {
    addBot({ username, name, token: given }: { username: string; name?: string; token?: string }): Bot {
      const id = given === undefined ? randomInt(1e9, 9e9) : Number(given.split(':')[0]);
      const token = given ?? `${id}:AA${randomBytes(25).toString('base64url').slice(0, 33)}`;
      const bot: Bot = {
        id,
        token,
        username,
        name: name ?? username,
        updates: [],
        lastUpdate: randomInt(1e6, 1e8),
        commands: [],
      };
      data.bots.set(token, bot);
      return bot;
    },
    bot(username: string): Bot {
      const found = [...data.bots.values()].find((bot) => bot.username === username);
      if (!found) throw new Error(`There is no bot @${username}`);
      return found;
    },
    addUser({ firstName, username }: { firstName: string; username?: string }): User {
      const user: User = { id: randomInt(1e8, 9e8), firstName, username };
      data.users.set(user.id, user);
      data.chats.set(user.id, { id: user.id, type: 'private', userIds: [user.id], botIds: [] });
      return user;
    },
    addGroup({ title, users, bots }: { title: string; users: User[]; bots: Bot[] }): Chat {
      const ids = { userIds: users.map(({ id }) => id), botIds: bots.map(({ id }) => id) };
      const chat: Chat = { id: -randomInt(1e8, 9e8), type: 'group', title, ...ids };
      data.chats.set(chat.id, chat);
      return chat;
    },
    messages: (chat: User | Chat) => data.messages.filter(({ chatId }) => chatId === chat.id),
    answers: () => data.answers,
    revokeToken: (bot: Bot) => void data.bots.delete(bot.token),
  };
}

/** Starts the emulator on the loopback. It has no bots and no users. */
export async function startTelegramEmulator(options: TelegramEmulatorOptions = {}): Promise<TelegramEmulator> {
  const world = createWorld(options.now ?? (() => new Date()));
  const quota = createQuotaMeter(options.quota);
  const waiting = new Map<string, WaitingPoll>();
  const pump = createPump(world, options.webhookRetryMs ?? 200);
  const dialect = createDialect({ world, quota, waiting });
  const emulator = await startEmulator(
    world,
    {
      ...dialect,
      async answer(incoming) {
        const reply = await dialect.answer(incoming);
        const bot = world.data.bots.get(parseBotPath(incoming)?.token ?? '');
        // Waiting updates are posted once a webhook is set.
        if (bot?.webhook && bot.updates.length > 0) void pump.run(bot);
        return reply;
      },
    },
    options,
  );
  const notify = (bot: Bot) => {
    if (bot.webhook) void pump.run(bot);
    else waiting.get(bot.token)?.wake();
  };
  return {
    ...emulator,
    ...createSeeding(world),
    ...createPeople(world, notify),
    setQuota: quota.set,
    async close() {
      pump.stop();
      for (const item of waiting.values()) item.wake();
      await emulator.close();
    },
  };
}
