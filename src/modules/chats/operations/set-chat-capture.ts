import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { setStopped } from '../store/chats.ts';

export const setChatCapture = defineOperation({
  name: 'set_chat_capture',
  summary: 'Turn the capture of your conversations off or on, for all your keys at once.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'sessions:capture', isForPeople: true },
  rest: [{ method: 'PUT', path: '/v1/chat-capture' }],
  input: z.strictObject({ enabled: z.boolean() }),
  output: z.object({ capture: z.enum(['on', 'off']) }),
  errors: [],
  examples: [{ title: 'Store no more of them', input: { enabled: false } }],
  async run(ctx, { enabled }) {
    const { personId, workspaceId } = ctx.caller;
    await setStopped(ctx.db, { person_id: personId, workspace_id: workspaceId, stopped_at: ctx.now }, !enabled);
    return { capture: enabled ? ('on' as const) : ('off' as const) };
  },
});
