import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { isStopped, listChats } from '../store/chats.ts';

export const listChatSessions = defineOperation({
  name: 'list_chat_sessions',
  summary: 'List your captured conversations, the latest first, and whether capture is on.',
  toolset: 'ingest',
  effect: 'read',
  access: { scope: 'pages:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/chat-sessions' }],
  input: z.strictObject({
    limit: z.number().int().min(1).max(100).default(50),
    offset: z.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({
    capture: z.enum(['on', 'off']).describe('on: keys with the scope sessions:capture may store conversations.'),
    chat_sessions: z.array(
      z.object({
        chat_id: z.uuid(),
        session_id: z.string(),
        client: z.string(),
        title: z.string(),
        summary: z.string(),
        turns: z.number().int(),
        brain_id: z.uuid(),
        page_id: z.uuid().nullable(),
        started_at: z.iso.datetime(),
        last_turn_at: z.iso.datetime(),
      }),
    ),
    total: z.number().int(),
  }),
  errors: [],
  examples: [{ title: 'The latest', input: { limit: 10 } }],
  async run(ctx, page) {
    const { chats, total } = await listChats(ctx.db, ctx.caller.personId, page);
    const { roles } = await ctx.brains();
    return {
      capture: (await isStopped(ctx.db, ctx.caller.personId)) ? ('off' as const) : ('on' as const),
      chat_sessions: chats
        .filter(({ brain_id }) => roles.has(brain_id))
        .map(({ id, session_id, client, title, summary, turns, brain_id, page_id, started_at, last_turn_at }) => ({
          chat_id: id,
          session_id,
          client,
          title,
          summary,
          turns,
          brain_id,
          page_id,
          started_at: started_at.toISOString(),
          last_turn_at: last_turn_at.toISOString(),
        })),
      total,
    };
  },
});
