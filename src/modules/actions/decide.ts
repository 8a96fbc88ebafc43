import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Jobs } from '#platform/jobs';
import { hashOf } from './canonical.ts';
import { parsePayload } from './draft.ts';
import { draftDecided } from './events.ts';
import type { ActionRegistry } from './registry.ts';
import { settleJob, type SendTimes } from './sending.ts';
import { lockDraft, moveDraft, type Change, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** What deciding needs beside the call. */
export type Deciding = { registry: ActionRegistry; jobs: Jobs; times: SendTimes };

/**
 * Decides that a draft is to be sent. Answers whether this call decided it: a draft that was confirmed before is left
 * as it is, and its outcome is the answer to both. Throws `conflict` when it can no longer be confirmed.
 */
export async function decideToSend(
  ctx: Context,
  { registry, jobs, times }: Deciding,
  draftId: string,
  edits: Record<string, unknown> | undefined,
): Promise<boolean> {
  const draft = await lockDraft(ctx.db, draftId);
  if (draft.status !== 'pending') return alreadyDecided(draft, edits);
  if (draft.expires_at <= ctx.now) throw expired();
  const change = edits && Object.keys(edits).length ? edited(registry, draft, edits) : {};
  const preview = change.preview ?? draft.preview;
  if (!preview.isComplete) {
    throw new AppError(
      'conflict',
      'This draft cannot be approved: its preview does not show everything that would be sent.',
    );
  }
  await moveDraft(ctx.db, draft, 'confirming', {
    ...change,
    decided_at: ctx.now,
    decided_by: ctx.caller.id,
    decided_by_label: ctx.caller.label,
  });
  const payload_hash = change.payload_hash ?? draft.payload_hash;
  if (change.payload)
    await appendToLedger(ctx.db, draft, 'edited', { fields: Object.keys(edits ?? {}), payload_hash }, ctx.now);
  await appendToLedger(ctx.db, draft, 'decided', { ...who(ctx), payload_hash }, ctx.now);
  // Should this process die from here on, the job settles the draft.
  await jobs.enqueue(ctx.db, settleJob, { workspaceId: draft.workspace_id, draftId }, { at: times.leaseEnd(ctx.now) });
  await ctx.emit(draftDecided({ draft_id: draftId, status: 'confirming' }, { personId: draft.person_id }));
  return true;
}

/** Drops a draft: nothing will be sent. Dropping it twice is the same as once. */
export async function decideToDiscard(ctx: Context, draftId: string): Promise<void> {
  const draft = await lockDraft(ctx.db, draftId);
  if (draft.status === 'discarded' || draft.status === 'expired') return;
  if (draft.status !== 'pending') {
    throw new AppError('conflict', `This draft cannot be discarded any more: it is ${draft.status}.`, {
      status: draft.status,
    });
  }
  await moveDraft(ctx.db, draft, 'discarded', {
    decided_at: ctx.now,
    decided_by: ctx.caller.id,
    decided_by_label: ctx.caller.label,
    settled_at: ctx.now,
  });
  await appendToLedger(ctx.db, draft, 'discarded', who(ctx), ctx.now);
  await ctx.emit(draftDecided({ draft_id: draftId, status: 'discarded' }, { personId: draft.person_id }));
}

function alreadyDecided(draft: DraftRow, edits: Record<string, unknown> | undefined): false {
  if (draft.status === 'expired') throw expired();
  if (draft.status === 'discarded' || draft.status === 'stale') {
    throw new AppError(
      'conflict',
      `This draft was ${draft.status}; nothing was sent. Draft it again if it is still wanted.`,
      {
        status: draft.status,
      },
    );
  }
  if (edits && Object.keys(edits).length) {
    throw new AppError('conflict', 'This draft was confirmed before, so these edits come too late.', {
      status: draft.status,
    });
  }
  return false;
}

function edited(registry: ActionRegistry, draft: DraftRow, edits: Record<string, unknown>): Change {
  const action = registry.get(draft.source, draft.action);
  const foreign = Object.keys(edits).filter((field) => !(action.editable as readonly string[]).includes(field));
  if (foreign.length) {
    throw new AppError(
      'invalid_input',
      `edits: ${foreign.join(', ')} cannot be edited. Editable: ${action.editable.join(', ')}.`,
      {
        editable: action.editable,
      },
    );
  }
  const payload = parsePayload(action, { ...draft.payload, ...edits });
  const payload_hash = hashOf({
    source: draft.source,
    action: draft.action,
    connectionId: draft.connection_id,
    payload,
  });
  return { payload, payload_hash, preview: action.preview(payload) };
}

function who(ctx: Context) {
  const { kind, id, label, isHumanSurface } = ctx.caller;
  return { by: label, caller_kind: kind, caller_id: id, human_surface: isHumanSurface, request_id: ctx.requestId };
}

function expired(): AppError {
  return new AppError('conflict', 'This draft has expired; nothing was sent. Draft it again if it is still wanted.', {
    status: 'expired',
  });
}
