// The methods of the Bot API. Their parameters are those of the reference; others are refused.
import { z } from 'zod';
import { checkValue } from '../kit/body.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest } from '../kit/wire.ts';
import { addMessage, buildChatResource, buildTelegramMessage, toUnixSeconds } from './state.ts';
import type { Bot, Button, Chat, Message, TelegramWorld } from './state.ts';

/** A call by a bot. */
export type Call = { world: TelegramWorld; bot: Bot; now: Date };

/** `ok: false` with its status. */
export function createTelegramError(
  code: number,
  description: string,
  parameters?: Record<string, unknown>,
): WireError {
  return new WireError(code, description, {
    ok: false,
    error_code: code,
    description,
    ...(parameters ? { parameters } : {}),
  });
}

/** 429 with `retry_after`. */
export function createTooManyError(retryAfter: number): WireError {
  return createTelegramError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
}

/** 400. */
function createBadCallError(description: string): WireError {
  return createTelegramError(400, `Bad Request: ${description}`);
}

const integer = z.coerce.number().int();
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);
const text = z.union([z.string(), z.number().transform(String)]);

function parseJsonValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Objects and lists come as JSON inside a form, or as they are inside JSON. */
const createJsonSchema = <T extends z.ZodType>(schema: T) => z.preprocess(parseJsonValue, schema);

const button = z.strictObject({
  text: z.string().min(1),
  callback_data: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 1 && Buffer.byteLength(value) <= 64, 'BUTTON_DATA_INVALID')
    .optional(),
  url: z.string().optional(),
});

const inlineKeyboard = createJsonSchema(z.strictObject({ inline_keyboard: z.array(z.array(button).max(8)).max(100) }));
const names = createJsonSchema(z.array(z.string()));

const messageParts = {
  text,
  parse_mode: z.enum(['HTML', 'MarkdownV2', 'Markdown']).optional(),
  link_preview_options: createJsonSchema(z.record(z.string(), z.unknown())).optional(),
  reply_markup: inlineKeyboard.optional(),
};

/** Reads parameters of a query, a form or JSON. */
export function readParameters({ url, headers, body }: IncomingRequest): Record<string, unknown> {
  const query = Object.fromEntries(url.searchParams);
  const type = headers['content-type'] ?? '';
  const source = body.toString('utf8');
  if (source === '') return query;
  if (type.includes('application/json')) {
    const value = parseJsonValue(source);
    if (typeof value !== 'object' || value === null) throw createBadCallError("can't parse JSON object");
    return { ...query, ...value };
  }
  if (type.includes('x-www-form-urlencoded')) return { ...query, ...Object.fromEntries(new URLSearchParams(source)) };
  throw createBadCallError('unsupported content type');
}

/** The parameters of a method by its schema. */
function read<T>(schema: z.ZodType<T>, given: Record<string, unknown>): T {
  const checked = checkValue(schema, given);
  if ('value' in checked) return checked.value;
  const { error: fault } = checked;
  if (fault.kind === 'unknown') throw createBadCallError(`unknown parameter "${fault.name}"`);
  if (fault.kind === 'malformed') throw createBadCallError('malformed');
  if (fault.at === 'text') throw createBadCallError('message text is empty');
  if (fault.message.includes('BUTTON_DATA_INVALID')) throw createBadCallError('BUTTON_DATA_INVALID');
  throw createBadCallError(
    fault.kind === 'missing' ? `parameter "${fault.at}" is required` : `can't parse parameter "${fault.at}"`,
  );
}

function requireChat({ world, bot }: Call, given: string): Chat {
  const { data } = world;
  const chat = data.chats.get(Number(given));
  if (!chat) throw createBadCallError('chat not found');
  if (data.blocked.has(`${chat.id} ${bot.id}`))
    throw createTelegramError(403, 'Forbidden: bot was blocked by the user');
  if (chat.botIds.includes(bot.id)) return chat;
  throw createTelegramError(
    403,
    chat.type === 'private'
      ? "Forbidden: bot can't initiate conversation with a user"
      : 'Forbidden: bot is not a member of the group chat',
  );
}

/** The text that people see; throws when the marks in it cannot be read. */
function readVisibleText(source: string, mode: string | undefined): string {
  if (mode === 'MarkdownV2') {
    const reserved = /(?<!\\)[>#+\-=|{}.!]/.exec(source);
    if (reserved)
      throw createBadCallError(
        `can't parse entities: Character '${reserved[0]}' is reserved and must be escaped with the preceding '\\'`,
      );
    return source.replaceAll(/(?<!\\)[*_~`]/g, '').replaceAll(/\\(.)/g, '$1');
  }
  if (mode !== 'HTML') return source;
  const open: string[] = [];
  for (const [, slash, name = ''] of source.matchAll(/<(\/?)([a-z-]+)[^>]*>/gi)) {
    if (!/^(b|strong|i|em|u|ins|s|strike|del|a|code|pre|blockquote|span|tg-spoiler|tg-emoji)$/i.test(name)) {
      throw createBadCallError(`can't parse entities: Unsupported start tag "${name}"`);
    }
    if (!slash) open.push(name);
    else if (open.pop() !== name) throw createBadCallError("can't parse entities: Unmatched end tag");
  }
  if (open.length > 0)
    throw createBadCallError(
      `can't parse entities: Can't find end tag corresponding to start tag "${open.at(-1) ?? ''}"`,
    );
  const plain = source.replaceAll(/<[^>]*>/g, '');
  if (/<|&(?!lt;|gt;|amp;|quot;|#)/.test(plain))
    throw createBadCallError("can't parse entities: Unsupported start tag");
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function checkMessageText(source: string, mode: string | undefined): string {
  const visible = readVisibleText(source, mode).trim();
  if (visible === '') throw createBadCallError('message text is empty');
  if (visible.length > 4096) throw createBadCallError('message is too long');
  return visible;
}

function checkKeyboard(markup: { inline_keyboard: Button[][] } | undefined): Button[][] | undefined {
  const wrong = markup?.inline_keyboard
    .flat()
    .some((item) => (item.callback_data === undefined) === (item.url === undefined));
  if (wrong) throw createBadCallError('Text buttons are unallowed in the inline keyboard');
  return markup?.inline_keyboard.length ? markup.inline_keyboard : undefined;
}

function getOwnMessage(call: Call, chatId: string, messageId: number, what: string): Message {
  const chat = requireChat(call, chatId);
  const message = call.world.data.messages.find(({ id, chatId: own }) => id === messageId && own === chat.id);
  if (!message) throw createBadCallError(`message to ${what} not found`);
  if (message.fromId !== call.bot.id)
    throw createBadCallError(`message can't be ${what === 'edit' ? 'edited' : 'deleted'}`);
  return message;
}

function sendMessage(call: Call, given: Record<string, unknown>) {
  const schema = z.strictObject({
    ...messageParts,
    chat_id: text,
    disable_notification: flag.optional(),
    protect_content: flag.optional(),
    reply_parameters: createJsonSchema(
      z.strictObject({ message_id: integer, allow_sending_without_reply: flag.optional() }),
    ).optional(),
  });
  const args = read(schema, given);
  const chat = requireChat(call, args.chat_id);
  const visible = checkMessageText(args.text, args.parse_mode);
  const keyboard = checkKeyboard(args.reply_markup);
  const replyTo = args.reply_parameters?.message_id;
  const known =
    replyTo === undefined || call.world.data.messages.some(({ id, chatId }) => id === replyTo && chatId === chat.id);
  if (!known && !args.reply_parameters?.allow_sending_without_reply)
    throw createBadCallError('message to be replied not found');
  const message = addMessage(call.world, {
    chatId: chat.id,
    fromId: call.bot.id,
    text: visible,
    keyboard,
    replyTo: known ? replyTo : undefined,
  });
  return buildTelegramMessage(call.world, message);
}

function change(call: Call, message: Message, fields: Pick<Message, 'text' | 'keyboard'>) {
  const same = message.text === fields.text && JSON.stringify(message.keyboard) === JSON.stringify(fields.keyboard);
  if (same) {
    throw createBadCallError(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  Object.assign(message, fields, { editDate: toUnixSeconds(call.now) });
  return buildTelegramMessage(call.world, message);
}

function editMessageText(call: Call, given: Record<string, unknown>) {
  const args = read(z.strictObject({ ...messageParts, chat_id: text, message_id: integer }), given);
  const message = getOwnMessage(call, args.chat_id, args.message_id, 'edit');
  return change(call, message, {
    text: checkMessageText(args.text, args.parse_mode),
    keyboard: checkKeyboard(args.reply_markup),
  });
}

function editMessageReplyMarkup(call: Call, given: Record<string, unknown>) {
  const args = read(
    z.strictObject({ chat_id: text, message_id: integer, reply_markup: inlineKeyboard.optional() }),
    given,
  );
  const message = getOwnMessage(call, args.chat_id, args.message_id, 'edit');
  return change(call, message, { text: message.text, keyboard: checkKeyboard(args.reply_markup) });
}

function deleteMessage(call: Call, given: Record<string, unknown>) {
  const args = read(z.strictObject({ chat_id: text, message_id: integer }), given);
  const message = getOwnMessage(call, args.chat_id, args.message_id, 'delete');
  const { data } = call.world;
  data.messages = data.messages.filter((item) => item !== message);
  return true;
}

/** A pressed button waits a minute for its answer. */
const querySeconds = 60;

function answerCallbackQuery({ world, bot, now }: Call, given: Record<string, unknown>) {
  const schema = z.strictObject({
    callback_query_id: text,
    text: text.optional(),
    show_alert: flag.optional(),
    url: z.string().optional(),
    cache_time: integer.optional(),
  });
  const args = read(schema, given);
  const query = world.data.queries.get(args.callback_query_id);
  if (query?.botId !== bot.id || toUnixSeconds(now) - query.at > querySeconds) {
    throw createBadCallError('query is too old and response timeout expired or query ID is invalid');
  }
  if ((args.text ?? '').length > 200) throw createBadCallError('MESSAGE_TOO_LONG');
  world.data.queries.delete(args.callback_query_id);
  world.data.answers.push({
    queryId: args.callback_query_id,
    userId: query.userId,
    text: args.text,
    alert: args.show_alert ?? false,
  });
  return true;
}

function setWebhook({ bot }: Call, given: Record<string, unknown>) {
  const schema = z.strictObject({
    url: z.string(),
    secret_token: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,256}$/)
      .optional(),
    allowed_updates: names.optional(),
    max_connections: integer.optional(),
    drop_pending_updates: flag.optional(),
  });
  const args = read(schema, given);
  if (args.url !== '' && !/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(args.url)) {
    throw createBadCallError('bad webhook: An HTTPS URL must be provided for webhook');
  }
  if (args.drop_pending_updates) bot.updates = [];
  bot.webhook =
    args.url === '' ? undefined : { url: args.url, secretToken: args.secret_token, allowed: args.allowed_updates };
  return true;
}

function deleteWebhook({ bot }: Call, given: Record<string, unknown>) {
  const { drop_pending_updates: drop } = read(z.strictObject({ drop_pending_updates: flag.optional() }), given);
  bot.webhook = undefined;
  if (drop) bot.updates = [];
  return true;
}

function getWebhookInfo({ bot }: Call) {
  const { webhook, updates } = bot;
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: updates.length,
    ...(webhook?.lastError ? { last_error_date: webhook.lastErrorDate, last_error_message: webhook.lastError } : {}),
    ...(webhook?.allowed ? { allowed_updates: webhook.allowed } : {}),
  };
}

function getFile({ world }: Call, given: Record<string, unknown>) {
  const { file_id: id } = read(z.strictObject({ file_id: z.string() }), given);
  const file = world.data.files.get(id);
  if (!file) throw createBadCallError('wrong file_id or the file is temporarily unavailable');
  if (file.content.length > 20 * 2 ** 20) throw createBadCallError('file is too big');
  return {
    file_id: id,
    file_unique_id: id.slice(-12),
    file_size: file.content.length,
    file_path: `documents/${id}/${file.name}`,
  };
}

/** What getUpdates takes. */
export function readPoll(given: Record<string, unknown>) {
  const schema = z.strictObject({
    offset: integer.optional(),
    limit: integer.min(1).max(100).optional(),
    timeout: integer.min(0).max(50).optional(),
    allowed_updates: names.optional(),
  });
  return read(schema, given);
}

/** The updates for a poll. Updates before the offset are confirmed and deleted. */
export function takeUpdates(
  bot: Bot,
  { offset = 0, limit = 100, allowed_updates: allowed }: ReturnType<typeof readPoll>,
) {
  if (offset > 0) bot.updates = bot.updates.filter(({ update_id: id }) => id >= offset);
  if (offset < 0) bot.updates = bot.updates.slice(offset);
  const wanted = bot.updates.filter((update) => !allowed?.length || allowed.some((name) => name in update));
  return wanted.slice(0, limit);
}

const nothing = z.strictObject({});

/** All methods but getUpdates, which waits. */
export const methods: Record<string, (call: Call, given: Record<string, unknown>) => unknown> = {
  getMe({ bot }, given) {
    read(nothing, given);
    const { id, name, username } = bot;
    return {
      id,
      is_bot: true,
      first_name: name,
      username,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    };
  },
  sendMessage,
  editMessageText,
  editMessageReplyMarkup,
  deleteMessage,
  answerCallbackQuery,
  setWebhook,
  deleteWebhook,
  getWebhookInfo: (call, given) => (read(nothing, given), getWebhookInfo(call)),
  getFile,
  getChat(call, given) {
    return buildChatResource(call.world, requireChat(call, read(z.strictObject({ chat_id: text }), given).chat_id));
  },
  sendChatAction(call, given) {
    requireChat(
      call,
      read(z.strictObject({ chat_id: text, action: z.enum(['typing', 'upload_document', 'upload_photo']) }), given)
        .chat_id,
    );
    return true;
  },
  setMyCommands({ bot }, given) {
    const command = z.strictObject({
      command: z.string().regex(/^[a-z0-9_]{1,32}$/),
      description: z.string().min(1).max(256),
    });
    bot.commands = read(z.strictObject({ commands: createJsonSchema(z.array(command).max(100)) }), given).commands;
    return true;
  },
};
