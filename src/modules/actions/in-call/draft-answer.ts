// What every operation that drafts returns.
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { presentPreview, previewOutput } from '../presenting/draft.ts';
import { outcomeStates } from '../sending/outcome.ts';
import type { DraftRow } from '../store/drafts.ts';

/** The output of every operation that drafts. */
export const draftAnswer = z.object({
  kind: z
    .enum(['draft', 'clarification', 'noop', 'auto_executed'])
    .describe('auto_executed: the policy allows it without approval, and it was sent.'),
  draft_id: z.uuid().optional(),
  action: z.string().optional(),
  preview: previewOutput.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  expires_at: z.iso.datetime().optional(),
  approval_url: uri().optional().describe('The page where a person approves or declines it.'),
  question: z.string().optional(),
  reason: z.string().optional(),
  status: z
    .enum([...outcomeStates, 'discarded', 'expired'])
    .optional()
    .describe('The outcome, if it was decided within this call.'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  audit_id: z.uuid().optional().describe('The draft. get_action shows its ledger.'),
  note: z.string().optional().describe('Parts of the request that could not be fulfilled.'),
});

export type DraftAnswer = z.input<typeof draftAnswer>;

/** The answer for a draft that waits for an approval. */
export function presentWaiting(draft: DraftRow, publicUrl: string) {
  return {
    kind: 'draft' as const,
    draft_id: draft.id,
    action: draft.action,
    preview: presentPreview(draft.preview),
    payload: draft.payload,
    expires_at: draft.expires_at.toISOString(),
    approval_url: `${publicUrl}/inbox/${draft.id}`,
  };
}
