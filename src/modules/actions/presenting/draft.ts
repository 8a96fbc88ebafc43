import type { Action } from '#kernel/action';
import { presentVerdict, verdictOutput, type ActionRegistry } from '#modules/policy';
import { z } from 'zod';
import { draftStates } from '../draft-states.ts';
import { readEdits } from '../draft-edits.ts';
import { findOwnerName, type Viewer } from '../approvers/draft-access.ts';
import type { DraftRow } from '../store/drafts.ts';
import { buildDraftPreview } from '../drafting/preview.ts';
import { listReached } from '../drafting/reach.ts';
import { dangerOutput, listDangers } from './danger.ts';
import { hasNoTargetData, formatSnapshotFields } from '../drafting/target-snapshot.ts';
import { findUndoDeadline } from '../undoable.ts';
import { isSurelyUnsent } from '../draft-states.ts';

export const previewOutput = z.object({
  title: z.string(),
  fields: z.array(
    z.object({
      label: z.string(),
      text: z.string(),
      was: z.string().optional().describe('The old value, if this changes one.'),
    }),
  ),
  is_complete: z
    .boolean()
    .describe('False: the preview does not show everything, so the draft cannot be approved from it.'),
  is_completed_at_console: z
    .boolean()
    .optional()
    .describe(
      'True: the rest are values that an agent wrote. Only the console shows them, and the draft can be approved only there.',
    ),
});

export const undoOutput = z
  .object({ says: z.string(), until: z.iso.datetime() })
  .describe('Until when undo_action can undo it, and the effect of that.');

/** A draft in lists and answers. */
export const draftOutput = z.object({
  draft_id: z.uuid(),
  source: z.string(),
  action: z.string(),
  status: z.enum(draftStates),
  preview: previewOutput,
  known: previewOutput.shape.fields.describe(
    'What the provider says about the target, or why it could not be looked up. The preview contains it, too.',
  ),
  about: z
    .string()
    .nullable()
    .describe("The provider's name of the changed item; null: the action creates something, or the name is unknown."),
  danger: dangerOutput,
  present: z
    .record(z.string(), z.string())
    .describe('The present values of fields that it could change but does not, as far as the provider returned them.'),
  payload: z.record(z.string(), z.unknown()),
  content_hash: z.string().describe('The hash of what would be sent. Required to approve an edited draft.'),
  edited: z
    .object({ by: z.string(), at: z.iso.datetime(), was: z.record(z.string(), z.unknown()) })
    .nullable()
    .describe('Who edited it last, and the original values of the edited fields; null: not edited.'),
  editable: z.array(z.string()),
  account: z.string(),
  policy: verdictOutput.nullable().describe("The policy's answer; null for drafts older than the policy."),
  batch_id: z.uuid().nullable(),
  follows_id: z.uuid().nullable().describe('The earlier draft that this one repeats.'),
  drafted_by: z.string(),
  drafted_by_id: z.uuid().describe('The key, session or run that drafted it.'),
  delegated_by: z.string().nullable().describe('The person who delegated the decision to you; null: your own draft.'),
  notify_targets: z.array(z.string()),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable().describe('When it was decided, expired or became stale; null while it waits.'),
  decided_by: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  undo: undoOutput.nullable(),
  error: z.string().nullable(),
  nothing_was_sent: z
    .boolean()
    .describe('True: nothing was sent. For a failed draft false means that it is uncertain: see `error`.'),
});

export function presentDraft(
  draft: DraftRow,
  registry: ActionRegistry,
  viewer: Viewer,
  now: Date,
): z.input<typeof draftOutput> {
  const action = registry.get(draft.source, draft.action, draft.payload);
  const isOver = draft.status === 'pending' && draft.expires_at <= now;
  const isVisible = isContentVisible(draft, viewer);
  return {
    draft_id: draft.id,
    source: draft.source,
    action: draft.action,
    status: isOver ? 'expired' : draft.status,
    preview: presentPreview(isVisible ? draft.preview : buildDraftPreview(action, draft.payload, null)),
    known: isVisible ? formatSnapshotFields(draft.target) : [],
    about: isVisible ? (draft.target?.about ?? null) : null,
    danger: listDangers(action, isVisible ? draft : { ...draft, ...presentPayloadReach(action, draft) }),
    present: isVisible ? (draft.target?.present ?? {}) : {},
    payload: draft.payload,
    content_hash: draft.payload_hash,
    edited: presentEdits(draft),
    editable: [...action.editable],
    account: draft.account,
    policy: draft.policy && presentVerdict(draft.policy),
    batch_id: draft.batch_id,
    follows_id: draft.follows_id,
    drafted_by: draft.drafted_by_label,
    drafted_by_id: draft.drafted_by,
    delegated_by: findOwnerName(viewer, draft),
    notify_targets: draft.notify_targets,
    created_at: draft.created_at.toISOString(),
    expires_at: draft.expires_at.toISOString(),
    decided_at: draft.decided_at?.toISOString() ?? null,
    ended_at: draft.status === 'pending' && !isOver ? null : draft.ended_at.toISOString(),
    decided_by: draft.decided_by_label,
    result: draft.result,
    undo: presentUndo(draft, action, now),
    error: draft.error?.message ?? null,
    nothing_was_sent: isSurelyUnsent(draft),
  };
}

/** The recipients according to the payload itself, for viewers who may not see the look-up. */
function presentPayloadReach(action: Action, { payload, newly_reached: fresh }: DraftRow) {
  const reached = listReached(action, payload, null);
  return { reached, newly_reached: fresh.filter((address) => reached.includes(address)) };
}

function presentEdits(draft: DraftRow): z.input<typeof draftOutput>['edited'] {
  const edits = readEdits(draft);
  return (
    edits && { by: draft.edited_by ?? '', at: (draft.edited_at ?? draft.created_at).toISOString(), was: edits.was }
  );
}

/** Whether a viewer may see the look-up of a draft's target. */
export function isContentVisible(draft: DraftRow, viewer: Viewer): boolean {
  return hasNoTargetData(draft.target) || viewer.mayRead(draft.source, draft.account);
}

/** Null when it cannot be undone, or no longer. */
export function presentUndo(draft: DraftRow, action: Action, now: Date): z.input<typeof undoOutput> | null {
  const until = findUndoDeadline(draft, action);
  return action.undo && until && until > now ? { says: action.undo.says, until: until.toISOString() } : null;
}

export function presentPreview(preview: DraftRow['preview']): z.input<typeof previewOutput> {
  const { title, fields, isComplete: is_complete, isCompletedAtConsole } = preview;
  return { title, fields, is_complete, ...(isCompletedAtConsole && { is_completed_at_console: true }) };
}

/** How much of each draft a list returns. */
export const detailField = z
  .enum(['short', 'full'])
  .default('short')
  .describe('short: at most 300 characters of the preview. full: the whole draft, as in get_action.');

/** A draft as a list shows it: a short row leaves out details that only the whole draft has. */
export const draftRow = draftOutput.extend({
  preview: previewOutput.extend({
    is_shortened: z
      .boolean()
      .optional()
      .describe('True: it was cut. Read the whole draft with get_action before you approve.'),
  }),
  known: draftOutput.shape.known.optional(),
  present: draftOutput.shape.present.optional(),
  payload: draftOutput.shape.payload.optional(),
  content_hash: draftOutput.shape.content_hash.optional(),
  edited: draftOutput.shape.edited.optional(),
  editable: draftOutput.shape.editable.optional(),
  policy: draftOutput.shape.policy.optional(),
  result: draftOutput.shape.result.optional(),
});

const longestPreview = 300;

/** A draft as a row of a list. */
export function presentRow(
  detail: z.output<typeof detailField>,
  ...of: Parameters<typeof presentDraft>
): z.input<typeof draftRow> {
  const whole = presentDraft(...of);
  if (detail === 'full') return whole;
  const { known: _known, payload: _payload, content_hash: _hash, edited: _edited, editable: _fields, ...row } = whole;
  const { policy: _policy, result: _result, present: _present, ...short } = row;
  return { ...short, about: whole.about && cut(whole.about, 120), preview: shortenPreview(whole.preview) };
}

/** The title and the first fields of a preview, together at most 300 characters. */
function shortenPreview(preview: z.input<typeof previewOutput>): z.input<typeof draftRow>['preview'] {
  const title = cut(preview.title, longestPreview / 2);
  let left = longestPreview - title.length;
  const fields: typeof preview.fields = [];
  for (const { label, text } of preview.fields) {
    const room = left - label.length;
    if (room < 1) break;
    fields.push({ label, text: cut(text, room) });
    left = room - (fields.at(-1)?.text.length ?? 0);
  }
  const isWhole =
    title === preview.title &&
    fields.length === preview.fields.length &&
    fields.every(({ text }, at) => text === preview.fields[at]?.text && preview.fields[at].was === undefined);
  return { ...preview, title, fields, ...(!isWhole && { is_shortened: true }) };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
