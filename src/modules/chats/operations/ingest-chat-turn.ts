import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { capture } from '../capture.ts';
import { captured, clientName, clientType, sessionKey, turnContent, turnRole } from '../turn-fields.ts';

export const ingestChatTurn = defineOperation({
  name: 'ingest_chat_turn',
  summary: 'Store one turn of a conversation; the turns of a session become one page. For the hooks of a client.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'sessions:capture' },
  rest: [{ method: 'POST', path: '/ingest/claude' }],
  ignoresUnknownFields: true,
  input: z.strictObject({
    session_id: sessionKey,
    role: turnRole,
    content: turnContent,
    client: clientName,
    client_type: clientType,
  }),
  output: captured,
  errors: ['forbidden'],
  examples: [
    {
      title: 'What the person asked',
      input: { session_id: 's-1', role: 'user', content: 'When does the ferry leave?' },
    },
  ],
  async run(ctx, { session_id, role, content, client }) {
    const { stored, chat } = await capture(ctx, { sessionId: session_id, client }, [{ role, content }]);
    return {
      stored: stored > 0,
      capture: chat ? ('on' as const) : ('off' as const),
      chat_id: chat?.id ?? null,
      turns: chat?.turns ?? 0,
      page_id: chat?.page_id ?? null,
    };
  },
});
