import { z } from 'zod';
import { draftStates } from './draft-states.ts';
import { presentVerdict, verdictOutput } from './policy/present.ts';
import type { ActionRegistry } from './registry.ts';
import type { DraftRow } from './store/drafts.ts';

export const previewOutput = z.object({
  title: z.string(),
  fields: z.array(z.object({ label: z.string(), text: z.string() })),
  is_complete: z.boolean().describe('False: something had to be cut, and it cannot be approved.'),
});

/** A draft as lists and answers show it. */
export const draftOutput = z.object({
  draft_id: z.uuid(),
  source: z.string(),
  action: z.string(),
  status: z.enum(draftStates),
  preview: previewOutput,
  payload: z.record(z.string(), z.unknown()),
  editable: z.array(z.string()),
  account: z.string(),
  policy: verdictOutput.nullable().describe('What the policy answered; null in drafts of before there was one.'),
  batch_id: z.uuid().nullable(),
  follows_id: z
    .uuid()
    .nullable()
    .describe('The draft that it is sent again for, since nobody could know what became of that.'),
  drafted_by: z.string(),
  notify_targets: z.array(z.string()),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});

export function presentDraft(draft: DraftRow, registry: ActionRegistry, now: Date): z.input<typeof draftOutput> {
  const isOver = draft.status === 'pending' && draft.expires_at <= now;
  return {
    draft_id: draft.id,
    source: draft.source,
    action: draft.action,
    status: isOver ? 'expired' : draft.status,
    preview: presentPreview(draft.preview),
    payload: draft.payload,
    editable: [...registry.get(draft.source, draft.action).editable],
    account: draft.account,
    policy: draft.policy && presentVerdict(draft.policy),
    batch_id: draft.batch_id,
    follows_id: draft.follows_id,
    drafted_by: draft.drafted_by_label,
    notify_targets: draft.notify_targets,
    created_at: draft.created_at.toISOString(),
    expires_at: draft.expires_at.toISOString(),
    decided_at: draft.decided_at?.toISOString() ?? null,
    decided_by: draft.decided_by_label,
    result: draft.result,
    error: draft.error?.message ?? null,
  };
}

export function presentPreview(preview: DraftRow['preview']): z.input<typeof previewOutput> {
  return { title: preview.title, fields: preview.fields, is_complete: preview.isComplete };
}
