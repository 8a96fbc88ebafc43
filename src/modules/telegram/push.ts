// A message to a person's own phone, as an action: it goes through the gate like every other effect.
import { defineAction } from '#kernel/action';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { getConnectionId, type DraftConnection } from '#kernel/module';
import type { ProviderClient } from '#providers/http';
import { z } from 'zod';
import { cut } from './turns/find-answer.ts';
import { findLinkOfChat } from './store/links.ts';

/** Telegram counts UTF-16 code units. https://core.telegram.org/bots/api#sendmessage */
const longest = 4096;
const longestTitle = 80;

const button = z.strictObject({
  text: z.string().trim().min(1).max(64),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('The address that the button opens.'),
});

/** The content of a message to one's own phone. */
export const pushInput = z.strictObject({
  text: z.string().trim().min(1).max(longest).describe('Plain text, shown unchanged.'),
  buttons: z.array(button).max(8).optional().describe('Link buttons below it, one per line.'),
});

const payload = pushInput.extend({
  /** The phone is fixed at drafting: the approved content goes to the approved recipient. */
  phone: z.string().min(1).max(200),
  chat_id: z.number().int(),
});

const sent = z.object({ result: z.object({ message_id: z.number().int() }) });

/** The bot's connection, and whether a chat is still the person's phone. */
type Reach = {
  client: ProviderClient;
  link: Parameters<ProviderClient['json']>[0];
  isLinked(chatId: number): Promise<boolean>;
};

/** Creates the function that sends a draft of this action to its phone. */
export function createPushReach({ client, transactions }: { client: ProviderClient; transactions: Transactions }) {
  return (draft: DraftConnection, deadline: AbortSignal): Reach => {
    const { workspace_id: workspaceId, person_id: personId } = draft;
    const connectionId = getConnectionId(draft);
    return {
      client,
      link: { workspaceId, connectionId, provider: 'telegram', deadline },
      isLinked: (chatId) =>
        transactions.run(workspaceId, 'read', async (db) => {
          const link = await findLinkOfChat(db, connectionId, chatId);
          return link?.person_id === personId;
        }),
    };
  };
}

/** Telegram cannot be asked for the messages of a bot: after a lost answer a person must check. */
export const push = defineAction<typeof payload, Reach>({
  name: 'push',
  source: 'telegram',
  summary: "Send a message to the person's own phone.",
  risk: 'write',
  handle: 'none',
  requiresConfirmation: false,
  payload,
  example: { text: 'The release is out.', phone: 'Ada', chat_id: 1 },
  editable: ['text'],

  preview: ({ text, buttons = [], phone }) => ({
    title: `Message to ${phone}: ${cut(text.split('\n')[0] ?? '', longestTitle)}`,
    fields: [
      { label: 'To', text: phone },
      { label: 'Text', text },
      ...buttons.map((each, index) => ({ label: `Button ${index + 1}`, text: `${each.text}\n${each.url}` })),
    ],
    isComplete: true,
  }),

  target: ({ phone }) => ({ recipients: [phone], what: 'own phone' }),

  async prepare(reach, { chat_id, phone }) {
    if (await reach.isLinked(chat_id)) return {};
    throw new AppError('conflict', `${phone} is no longer linked. Link a phone, and draft it again.`);
  },

  async send(reach, { text, buttons = [], chat_id }) {
    const answer = await reach.client.json(reach.link, {
      method: 'POST',
      url: 'https://api.telegram.org/bot{token}/sendMessage',
      body: {
        chat_id,
        text,
        link_preview_options: { is_disabled: true },
        ...(buttons.length > 0 && { reply_markup: { inline_keyboard: buttons.map((each) => [each]) } }),
      },
    });
    return { message_id: sent.parse(answer).result.message_id };
  },

  async lookup() {
    return { state: 'ambiguous', reason: 'Telegram cannot say what a bot sent. Check the phone.' };
  },
});
