// The used methods of the Bot API, called with the bot's token, which never leaves the provider client.
// https://core.telegram.org/bots/api
import { AppError } from '#kernel/errors';
import type { ProviderClient } from '#providers/http';
import { z } from 'zod';

const user = z.object({
  id: z.number().int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(''),
  username: z.string().optional(),
});

const repliedTo = z.object({ message_id: z.number().int(), text: z.string().optional() });

const message = z.looseObject({
  message_id: z.number().int(),
  /** Seconds since 1970. */
  date: z.number().int(),
  chat: z.object({ id: z.number().int(), type: z.string() }),
  from: user.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  reply_to_message: repliedTo.optional(),
});

/** A message to a bot. Fields about pictures, voice messages and files are not parsed. */
export type Message = z.output<typeof message>;

const press = z.object({
  id: z.string(),
  from: user,
  /** The message with the button; for an old one Telegram sends only these fields. */
  message: z.object({ message_id: z.number().int(), chat: z.object({ id: z.number().int(), type: z.string() }) }),
  /** The data of the button, or other data from a foreign program. */
  data: z.string().default(''),
});

/** A pressed button. https://core.telegram.org/bots/api#callbackquery */
export type PressedButton = z.output<typeof press>;

/** One update of a bot. Null: another kind, or an unknown form. */
export type Update = { id: number; message: Message | null; press: PressedButton | null; isEdited: boolean };

const update = z
  .object({
    update_id: z.number().int(),
    message: z.unknown(),
    edited_message: z.unknown(),
    callback_query: z.unknown(),
  })
  .partial({ message: true, edited_message: true, callback_query: true })
  .transform((raw): Update => {
    const isEdited = raw.edited_message !== undefined;
    const read = message.safeParse(isEdited ? raw.edited_message : raw.message);
    const pressed = press.safeParse(raw.callback_query);
    return { id: raw.update_id, message: read.data ?? null, press: pressed.data ?? null, isEdited };
  });

const sent = z.object({ result: z.object({ message_id: z.number().int() }) });

/** A button below a message; `data` comes back when it is pressed, and has at most 64 bytes. */
export type Button = { text: string; data: string };

const updates = z.object({ ok: z.literal(true), result: z.array(update) });

export type BotCommand = { command: string; description: string };

/** A bot's connection to Telegram. Every error throws, with the token redacted. */
export type BotApi = {
  /** New updates from `offset` on, waiting up to this long. Telegram drops everything before `offset`. */
  updates(asked: { offset: number | null; waitSeconds: number; signal: AbortSignal }): Promise<Update[]>;
  /** Returns Telegram's number for the message. */
  send(reply: { chatId: number; html: string; replyTo: number | null; buttons?: readonly Button[] }): Promise<number>;
  /** Changes a message of the bot; buttons that are not given are removed. */
  edit(message: { chatId: number; messageId: number; html: string; buttons?: readonly Button[] }): Promise<void>;
  /** Answers a pressed button, which the phone waits for: a brief text, or a window that must be closed. */
  answerPress(answer: { queryId: string; words: string; isAlert: boolean }): Promise<void>;
  setCommands(commands: readonly BotCommand[]): Promise<void>;
};

/** In addition to the waiting itself. */
const timeoutMs = 15_000;

export function createBotApi(client: ProviderClient, bot: { workspace_id: string; connection_id: string }): BotApi {
  const link = { workspaceId: bot.workspace_id, connectionId: bot.connection_id, provider: 'telegram' };
  const call = (method: string, body: object, more: { signal?: AbortSignal; waitMs?: number } = {}) =>
    client.json(
      { ...link, ...(more.signal && { deadline: more.signal }) },
      {
        method: 'POST',
        url: `https://api.telegram.org/bot{token}/${method}`,
        body,
        timeoutMs: timeoutMs + (more.waitMs ?? 0),
      },
    );
  const shown = (html: string, buttons: readonly Button[] = []) => ({
    text: html,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(buttons.length > 0 && {
      reply_markup: { inline_keyboard: [buttons.map(({ text, data }) => ({ text, callback_data: data }))] },
    }),
  });
  return {
    async updates({ offset, waitSeconds, signal }) {
      const asked = { ...(offset !== null && { offset }), timeout: waitSeconds, limit: 50 };
      const body = { ...asked, allowed_updates: ['message', 'edited_message', 'callback_query'] };
      const read = updates.safeParse(await call('getUpdates', body, { signal, waitMs: waitSeconds * 1000 }));
      if (read.success) return read.data.result;
      throw new AppError('upstream_failed', "Telegram's answer differs from its documentation.");
    },
    async send({ chatId, html, replyTo, buttons }) {
      const read = sent.safeParse(
        await call('sendMessage', {
          chat_id: chatId,
          ...shown(html, buttons),
          ...(replyTo !== null && {
            reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
          }),
        }),
      );
      if (read.success) return read.data.result.message_id;
      throw new AppError('upstream_failed', "Telegram's answer differs from its documentation.");
    },
    async edit({ chatId, messageId, html, buttons }) {
      await call('editMessageText', { chat_id: chatId, message_id: messageId, ...shown(html, buttons) });
    },
    async answerPress({ queryId, words, isAlert }) {
      await call('answerCallbackQuery', { callback_query_id: queryId, text: words, show_alert: isAlert });
    },
    async setCommands(commands) {
      await call('setMyCommands', { commands });
    },
  };
}
