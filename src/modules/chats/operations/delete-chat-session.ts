import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { removePages } from '../chat-page.ts';
import { chatId } from '../ids.ts';
import { deleteChatRow, findChat } from '../store/chats.ts';

export const deleteChatSession = defineOperation({
  name: 'delete_chat_session',
  summary: 'Delete a captured conversation: its page and every turn of it.',
  toolset: 'ingest',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'sessions:capture', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/chat-sessions/{chat_id}' }],
  input: z.strictObject({ chat_id: chatId }),
  output: z.object({ deleted: z.literal(true), chat_id: z.uuid(), turns: z.number().int() }),
  errors: ['not_found'],
  examples: [{ title: 'One that should not be kept', input: { chat_id: createExampleId('chat') } }],
  async run(ctx, { chat_id }) {
    const chat = await findChat(ctx.db, chat_id);
    await removePages(ctx, chat);
    await deleteChatRow(ctx.db, chat_id);
    return { deleted: true as const, chat_id, turns: chat.turns };
  },
});
