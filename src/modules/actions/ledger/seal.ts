// A seal: a hash over rows of the ledger, and a MAC over it and the previous seal, with a key from the vault.
import { createHash, createHmac } from 'node:crypto';
import { formatCanonicalJson } from '../canonical.ts';
import type { SealedRow, SealRow } from '../store/seals.ts';

/** The value that stands for the seal before the first one. */
export const beforeAll = '0'.repeat(64);

/** The hash over rows of the ledger, in any order. */
export function computeRoot(rows: readonly SealedRow[]): string {
  const lines = rows.map(({ draft_id, seq, hash }) => `${draft_id} ${String(seq).padStart(9, '0')} ${hash}\n`);
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex');
}

/** The MAC of a seal. */
export function computeMac(
  key: Buffer,
  { workspace_id, seal, at, rows, root, previous_mac }: Omit<SealRow, 'mac'>,
): string {
  const text = formatCanonicalJson({ workspace_id, seal, at: at.toISOString(), rows, root, previous_mac });
  return createHmac('sha256', key).update(text).digest('hex');
}
