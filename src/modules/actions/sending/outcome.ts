import { setTimeout as sleep } from 'node:timers/promises';
import type { AfterCommitContext } from '#kernel/context';
import { z } from 'zod';
import type { DraftState } from '../draft-states.ts';
import { presentUndo, undoOutput } from '../presenting/draft.ts';
import { sendDraft } from './send-draft.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraft, type DraftRow } from '../store/drafts.ts';

/** `confirming`: it is still being sent. `ambiguous`: the outcome is unknown yet. */
export const outcomeStates = ['confirmed', 'failed', 'ambiguous', 'confirming'] as const;

/** The outcome of a confirmed draft. */
export const outcomeOutput = z.object({
  draft_id: z.uuid(),
  status: z.enum(outcomeStates),
  source: z.string().optional(),
  action: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional().describe('message_id, event_id or file_id.'),
  undo: undoOutput.optional(),
  error: z.string().optional().describe('What went wrong, or why the outcome is unknown.'),
});

const pollMs = 100;
/** What to do with a draft whose outcome is not known yet. */
export const lookAgain = 'Check it with get_action before you draft it again.';
const lookLater = `The provider is being asked. ${lookAgain}`;

/**
 * Sends a draft when this call decided it, otherwise waits for the process that did; returns its outcome. After the
 * decision no error means failure: the draft may still be sent, and the answer says so.
 */
export async function awaitOutcome(
  ctx: AfterCommitContext,
  deps: GateDeps,
  draftId: string,
  isOurs: boolean,
): Promise<z.input<typeof outcomeOutput>> {
  try {
    if (isOurs) await sendDraft(deps, ctx.caller.workspaceId, draftId);
    return present(deps, await waitWhile(ctx, draftId, 'confirming', 2 * deps.times.timeoutMs));
  } catch (err) {
    deps.log.error({ err, draft_id: draftId, request_id: ctx.requestId }, 'the outcome of a draft is not known');
    return {
      draft_id: draftId,
      status: 'confirming',
      error: `It was approved, but this call could not see the outcome. ${lookAgain}`,
    };
  }
}

/** The draft once it has left a state, or its present state after this time. */
export async function waitWhile(
  ctx: AfterCommitContext,
  draftId: string,
  state: DraftState,
  longestMs: number,
): Promise<DraftRow> {
  const giveUpAt = Date.now() + longestMs;
  for (;;) {
    const draft = await ctx.transact((inner) => findDraft(inner.db, draftId));
    if (draft.status !== state || Date.now() > giveUpAt) return draft;
    await sleep(pollMs);
  }
}

function present({ registry, now }: GateDeps, row: DraftRow): z.input<typeof outcomeOutput> {
  const { id, status, source, action, result, error } = row;
  const draft = { draft_id: id, source, action };
  const undo = presentUndo(row, registry.get(source, action, row.payload), now());
  if (status === 'confirmed' || status === 'undone')
    return { ...draft, status: 'confirmed', result: result ?? {}, ...(undo && { undo }) };
  if (status === 'failed' || status === 'stale')
    return { ...draft, status: 'failed', error: error?.message ?? 'It failed.' };
  if (status === 'confirming') return { ...draft, status, error: `It is still being sent. ${lookAgain}` };
  return { ...draft, status: 'ambiguous', error: `${error?.message ?? 'The outcome is not known yet.'} ${lookLater}` };
}
