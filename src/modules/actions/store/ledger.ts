import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { formatCanonicalJson } from '../canonical.ts';
import { toStorableJson } from '#platform/database';

export type LedgerRow = {
  draft_id: string;
  seq: number;
  workspace_id: string;
  at: Date;
  step: LedgerStep;
  detail: Record<string, unknown>;
  previous_hash: string;
  hash: string;
  /** The seal that covers it; null until it is sealed. */
  seal: number | null;
};
type Tables = { draft_ledger: LedgerRow };

/** The possible events of a draft; each leaves a row. */
export type LedgerStep =
  | 'drafted'
  | 'edited'
  | 'extended'
  | 'decided'
  | 'sending'
  | 'confirmed'
  | 'failed'
  | 'ambiguous'
  | 'asked_provider'
  | 'stale'
  | 'answered'
  | 'undoing'
  | 'undone'
  | 'undo_failed'
  | 'discarded'
  | 'expired';

const beginning = '0'.repeat(64);

/**
 * Writes the next row of a draft's ledger. Each row contains the hash of the previous one, so that a changed or missing
 * row can be detected. Of two concurrent writers only one gets the next number: the second one's transaction fails.
 */
export async function appendToLedger(
  db: Kysely<Tables>,
  draft: { id: string; workspace_id: string },
  step: LedgerStep,
  detail: Record<string, unknown>,
  at: Date,
): Promise<void> {
  const kept = toStorableJson(detail);
  const last = await db
    .selectFrom('draft_ledger')
    .select(['seq', 'hash'])
    .where('draft_id', '=', draft.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const row = {
    draft_id: draft.id,
    seq: (last?.seq ?? 0) + 1,
    at,
    step,
    detail: kept,
    previous_hash: last?.hash ?? beginning,
  };
  await db
    .insertInto('draft_ledger')
    .values({
      ...row,
      workspace_id: draft.workspace_id,
      detail: sql`${JSON.stringify(kept)}::jsonb`,
      hash: hashRow(row),
      seal: null,
    })
    .execute();
}

export async function readLedger(db: Kysely<Tables>, draftId: string): Promise<LedgerRow[]> {
  return db.selectFrom('draft_ledger').selectAll().where('draft_id', '=', draftId).orderBy('seq').execute();
}

/** The first row that does not follow from the one before it; null when the chain is whole. */
export function findBrokenLink(rows: readonly LedgerRow[]): number | null {
  let previous = beginning;
  for (const [position, row] of rows.entries()) {
    if (row.seq !== position + 1 || row.previous_hash !== previous || row.hash !== hashRow(row)) return row.seq;
    previous = row.hash;
  }
  return null;
}

function hashRow(row: Omit<LedgerRow, 'hash' | 'workspace_id' | 'seal'>): string {
  const { draft_id, seq, at, step, detail, previous_hash } = row;
  const text = formatCanonicalJson({ draft_id, seq, at: at.toISOString(), step, detail, previous_hash });
  return createHash('sha256').update(text).digest('hex');
}

/** The last of these events of a draft. */
export async function findLastStep(
  db: Kysely<Tables>,
  draftId: string,
  steps: readonly LedgerStep[],
): Promise<Pick<LedgerRow, 'step' | 'at'> | undefined> {
  return db
    .selectFrom('draft_ledger')
    .select(['step', 'at'])
    .where('draft_id', '=', draftId)
    .where('step', 'in', steps)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}
