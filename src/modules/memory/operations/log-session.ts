import { isAtLeast } from '#kernel/caller';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { sessionId } from '../ids.ts';
import { findSession, logSummary } from '../store/sessions.ts';

export const logSession = defineOperation({
  name: 'log_session',
  summary:
    'Store a summary of this session, so that the next session can continue. Call it before you finish. People on the brain see it if you may write there.',
  toolset: 'memory',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'viewer', of: 'session_id' } },
  rest: [{ method: 'POST', path: '/v1/session/log/{session_id}' }],
  input: z.strictObject({
    session_id: sessionId,
    summary: z.string().trim().min(1).max(10_000).describe('What was done, what was decided, and what is open.'),
  }),
  output: z.object({ session_id: z.uuid(), logged_at: z.iso.datetime() }),
  errors: ['not_found', 'forbidden'],
  examples: [
    {
      title: 'At the end of a working session',
      input: {
        session_id: createExampleId('memory_session'),
        summary: 'Built the ingest pipeline. Still open: the trigger.',
      },
    },
  ],
  async run(ctx, { session_id, summary }) {
    const { brainId } = await findSession(ctx.db, session_id);
    // Other people see only sessions of callers who may write there.
    const isShared = isAtLeast((await ctx.brains()).roles.get(brainId) ?? 'viewer', 'editor');
    await logSummary(ctx.db, session_id, { summary, isShared, at: ctx.now });
    return { session_id, logged_at: ctx.now.toISOString() };
  },
});
