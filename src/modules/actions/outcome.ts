import { setTimeout as sleep } from 'node:timers/promises';
import type { SettleContext } from '#kernel/context';
import { z } from 'zod';
import { sendDraft, type Sending } from './sending.ts';
import { findDraft, type DraftRow } from './store/drafts.ts';

/** What became of a confirmed draft. */
export const outcomeOutput = z.object({
  draft_id: z.uuid(),
  status: z.enum(['confirmed', 'failed', 'ambiguous']),
  source: z.string(),
  action: z.string(),
  result: z.record(z.string(), z.unknown()).optional().describe('message_id, event_id or file_id.'),
  error: z.string().optional().describe('What went wrong, or why nobody knows yet whether it was sent.'),
});

const pollMs = 100;

/** Sends a draft when this call decided it, otherwise waits for whoever did; answers what became of it. */
export async function outcomeOf(
  ctx: SettleContext,
  sending: Sending,
  draftId: string,
  isOurs: boolean,
): Promise<z.input<typeof outcomeOutput>> {
  if (isOurs) await sendDraft(sending, ctx.caller.workspaceId, draftId);
  const waitUntil = Date.now() + 2 * sending.times.timeoutMs;
  let draft = await read(ctx, draftId);
  while (draft.status === 'confirming' && Date.now() < waitUntil) {
    await sleep(pollMs);
    draft = await read(ctx, draftId);
  }
  const { source, action } = draft;
  if (draft.status === 'confirmed')
    return { draft_id: draftId, status: 'confirmed', source, action, result: draft.result ?? {} };
  if (draft.status === 'failed')
    return { draft_id: draftId, status: 'failed', source, action, error: draft.error?.message ?? 'It failed.' };
  const reason = draft.error?.message ?? 'It is still being sent.';
  return {
    draft_id: draftId,
    status: 'ambiguous',
    source,
    action,
    error: `${reason} The provider is being asked; look at it again with get_action.`,
  };
}

function read(ctx: SettleContext, draftId: string): Promise<DraftRow> {
  return ctx.transact((inner) => findDraft(inner.db, draftId));
}
