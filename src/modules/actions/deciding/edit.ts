// Edits of a draft are stored with it, so that everything that shows or sends the draft includes them.
import { isDeepStrictEqual } from 'node:util';
import type { Action } from '#kernel/action';
import type { Context, Face } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { parsePayload, type Payload } from '#kernel/parse-payload';
import {
  buildDraftSubject,
  createBlockedError,
  isSameRule,
  judgeByOwnRules,
  type ActionRegistry,
} from '#modules/policy';
import { lockAuthority } from '../approvers/draft-access.ts';
import { getLedgerActor } from '../ledger-actor.ts';
import { hashDraft, hashOfPart } from '../canonical.ts';
import { listChangedFields, pickFields } from '../draft-edits.ts';
import { buildDraftPreview } from '../drafting/preview.ts';
import { readReach } from '../drafting/reach.ts';
import { draftEdited } from '../events.ts';
import { markDraftStale, readPresentRuling } from './mark-stale.ts';
import { checkIsIntact, checkIsSeen } from './seen.ts';
import { changePending, lockDraft, type Change, type DraftRow } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';

/** New values for some fields, or the original content. */
export type Edit = { edits: Payload } | 'restore';

/**
 * Stores an edit of a pending draft, with a ledger row that names its author. A draft that another rule would match now
 * becomes stale. Throws `conflict` when it is no longer pending or differs from what the caller saw, and `forbidden`
 * when the policy refuses the edited draft.
 */
export async function editDraft(
  ctx: Context,
  registry: ActionRegistry,
  { draftId, edit, seen }: { draftId: string; edit: Edit; seen: string | undefined },
): Promise<void> {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  if (draft.status !== 'pending') throw createNotPendingError(draft);
  if (draft.is_overdue) throw createExpiredError();
  const currentRuling = await readPresentRuling(ctx, registry, draft);
  if (draft.policy && !isSameRule(draft.policy, currentRuling))
    return void (await markDraftStale(ctx, draft, currentRuling));
  checkIsSeen(draft, seen);
  await checkIsIntact(ctx, draft);
  const change = await computeEdit(ctx, registry, draft, edit === 'restore' ? 'restore' : edit.edits);
  if (isDeepStrictEqual(change.payload, draft.payload)) return;
  if (change.policy?.effect === 'block') throw createBlockedError(change.policy);
  // A key cannot edit others' drafts into something that it may not draft itself.
  const subject = await buildDraftSubject(
    ctx.db,
    registry.get(draft.source, draft.action, draft.payload),
    draft,
    change.payload ?? draft.payload,
  );
  const own = judgeByOwnRules(ctx.caller.ownRules, subject);
  if (own?.effect === 'block') throw createBlockedError(own);
  const by = getLedgerActor(ctx);
  await changePending(ctx.db, draft, { ...change, edited_at: ctx.now, edited_by: by.by });
  await logEdit(ctx, draft, change, { ...by, ...authority });
  await ctx.emit(draftEdited({ draft_id: draft.id }, { personId: draft.person_id }));
}

/** Records an edit with the former values; does nothing when no field changes. */
export async function logEdit(ctx: Context, draft: DraftRow, change: Change, by: Payload): Promise<void> {
  const { payload, payload_hash, preview } = change;
  if (!payload) return;
  const fields = listChangedFields(draft.payload, payload);
  if (!fields.length) return;
  const hashes = { payload_hash, preview_hash: hashOfPart(preview) };
  const words = { was: pickFields(draft.payload, fields), became: pickFields(payload, fields) };
  await appendToLedger(ctx.db, draft, 'edited', { ...by, fields, ...words, ...hashes }, ctx.now);
}

/** The payload after the edits. Throws `invalid_input` when a field is not editable, or does not fit the action. */
export function buildEditedPayload(action: Action, draft: DraftRow, edits: Payload, face: Face): Payload {
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
  const edited = action.applyEdits?.(draft.payload, edits) ?? { ...draft.payload, ...edits };
  return parsePayload(action, edited, face);
}

/** The changed parts of a draft: its payload, preview, rule and hash. */
export async function computeEdit(
  ctx: Context,
  registry: ActionRegistry,
  draft: DraftRow,
  edits: Payload | 'restore',
): Promise<Change> {
  const action = registry.get(draft.source, draft.action, draft.payload);
  const drafted = draft.drafted_payload ?? draft.payload;
  const payload = edits === 'restore' ? drafted : buildEditedPayload(action, draft, edits, ctx.face);
  const policy = await readPresentRuling(ctx, registry, draft, payload);
  const { source, action: name, connection_id: connectionId, target } = draft;
  const payload_hash = hashDraft({ source, action: name, connectionId, payload, policy, target });
  const drafted_payload = isDeepStrictEqual(payload, drafted) ? null : drafted;
  const reach = await readReach(ctx.db, action, { payload, account: draft.account, target });
  return {
    payload,
    payload_hash,
    policy,
    drafted_payload,
    preview: buildDraftPreview(action, payload, target),
    ...reach,
  };
}

/** Why a draft that is no longer pending can be neither approved, edited nor extended. */
export function createNotPendingError({ status, error }: DraftRow, change: 'edited' | 'extended' = 'edited'): AppError {
  if (status === 'expired') return createExpiredError();
  const says: Partial<Record<DraftRow['status'], string>> = {
    discarded: 'This draft was discarded. Nothing was sent. Draft it again if you still want it.',
    stale: `This draft is out of date. Nothing was sent. ${error?.message ?? 'Draft it again if you still want it.'}`,
  };
  const otherwise = `This draft was approved before, so it cannot be ${change}. It is ${status}.`;
  return new AppError('conflict', says[status] ?? otherwise, { status });
}

/** Nobody decided in time. */
export function createExpiredError(): AppError {
  return new AppError('conflict', 'This draft expired. Nothing was sent. Draft it again if you still want it.', {
    status: 'expired',
  });
}
