// A decision is about what was shown: a draft that was edited or altered since then is not approved.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { hashDraft, hashOfPart } from '../canonical.ts';
import type { DraftRow } from '../store/drafts.ts';
import { readLedger } from '../store/ledger.ts';

/** The content that a caller saw: the draft's `content_hash`, or its first half where space is short. */
export const contentHash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{32,64}$/)
  .describe('`content_hash` of the draft that was shown. Required after an edit.');

/**
 * Throws `conflict` when a caller saw content that differs from the present draft. A caller without a hash is assumed
 * to have seen the original draft.
 */
export function checkIsSeen(draft: DraftRow, seen: string | undefined): void {
  const isSeen = seen === undefined ? draft.edited_at === null : draft.payload_hash.startsWith(seen);
  if (isSeen) return;
  const { edited_at: at, edited_by: by } = draft;
  const who = by ? `${by} edited this draft` : 'This draft changed';
  const ask =
    seen === undefined
      ? 'Read it again with get_action, show it, and pass its content_hash'
      : 'Read it again before you decide';
  throw new AppError('conflict', `${who} after it was drafted or shown to you. Nothing was sent. ${ask}.`, {
    reason: 'edited',
    edited_by: by,
    edited_at: at?.toISOString() ?? null,
  });
}

/**
 * Throws `conflict` when the stored payload is neither the drafted nor the edited one: somebody changed it in the
 * database.
 */
export async function checkIsIntact(ctx: Context, draft: DraftRow): Promise<void> {
  const rows = await readLedger(ctx.db, draft.id);
  const shown = rows.findLast(({ step }) => step === 'drafted' || step === 'edited');
  const isAsKept = (detail: Record<string, unknown> | undefined, name: string, part: unknown) =>
    [undefined, hashOfPart(part)].includes(detail?.[name] as string | undefined); // drafts from before this column have none
  const isWhole =
    isAsKept(shown?.detail, 'preview_hash', draft.preview) &&
    isAsKept(rows[0]?.detail, 'target_hash', draft.target) &&
    [undefined, draft.payload_hash].includes(shown?.detail['payload_hash'] as string | undefined) &&
    hashDraft({ ...draft, connectionId: draft.connection_id }) === draft.payload_hash;
  if (isWhole) return;
  throw new AppError(
    'conflict',
    'This draft cannot be approved: its stored content was changed outside the server. Decline it, and draft it again.',
  );
}
