import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { capture } from '../capture.ts';
import { captured, clientName, sessionKey, turnContent, turnRole } from '../turn-fields.ts';

export const saveChatSession = defineOperation({
  name: 'save_chat_session',
  summary:
    'Save a conversation as a page: its turns, or a title and summary for a conversation whose turns are already captured.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'sessions:capture' },
  rest: [{ method: 'POST', path: '/v1/chat-sessions' }],
  maxBodyBytes: 4_000_000,
  aliases: { messages: 'turns' },
  input: z.strictObject({
    session_id: sessionKey.optional().describe('The session. Default: a new one.'),
    title: z.string().trim().min(1).max(200).optional().describe('Default: made by rules.'),
    summary: z.string().trim().min(1).max(4_000).optional().describe('Default: made by rules.'),
    turns: z
      .array(z.strictObject({ role: turnRole, content: turnContent }))
      .max(500)
      .default([])
      .describe('In the order in which they were said.'),
    client: clientName,
  }),
  output: captured.extend({ slug: z.string().nullable() }),
  errors: ['forbidden', 'invalid_input'],
  examples: [
    {
      title: 'A short conversation',
      input: {
        title: 'Ferry times',
        turns: [
          { role: 'user', content: 'When does the ferry leave?' },
          { role: 'assistant', content: 'At noon.' },
        ],
      },
    },
  ],
  async run(ctx, { session_id, title, summary, turns, client }) {
    if (!turns.length && (session_id === undefined || (title === undefined && summary === undefined)))
      throw new AppError('invalid_input', 'Send turns, or a session_id with a title or a summary.');
    const conversation = { sessionId: session_id ?? ctx.newId(), client, title, summary };
    const { stored, chat, slug } = await capture(ctx, conversation, turns);
    return {
      stored: stored > 0,
      capture: chat ? ('on' as const) : ('off' as const),
      chat_id: chat?.id ?? null,
      turns: chat?.turns ?? 0,
      page_id: chat?.page_id ?? null,
      slug,
    };
  },
});
