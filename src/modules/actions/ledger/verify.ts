import type { Db } from '#kernel/database';
import { findBrokenLink, type LedgerRow } from '../store/ledger.ts';
import {
  countBeyond,
  findLastSeal,
  readLedgersAfter,
  readSealed,
  readSeals,
  countUnsealed,
  type SealRow,
} from '../store/seals.ts';
import { beforeAll, computeMac, computeRoot } from './seal.ts';

/** The head of a ledger at a time, to be stored elsewhere: its holder can detect that earlier rows are missing. */
export type Head = { seal: number; mac: string };

/** The result. `faults` are the first of all errors. */
export type LedgerCheck = {
  faults: string[];
  seals: number;
  rows: number;
  drafts: number;
  unsealed: { rows: number; since: Date | null };
  head: Head | null;
};

const mostLedgerErrors = 100;
const sealsAtOnce = 200;
const draftsAtOnce = 500;

/** Computes every hash and every seal of a workspace again. Without a key nothing was sealed. */
export async function verifyLedger(db: Db, key: Buffer | null, known: Head | null): Promise<LedgerCheck> {
  const faults: string[] = [];
  const last = await findLastSeal(db);
  const sealed = await verifySeals(db, { key, faults, known, last: last?.seal ?? 0 });
  const { rows, drafts } = await verifyChains(db, faults);
  const head = last ? { seal: last.seal, mac: last.mac } : null;
  if (await countBeyond(db)) faults.push('Rows belong to seals that are missing.');
  const found = { seals: sealed, rows, drafts, unsealed: await countUnsealed(db), head };
  return { faults: faults.slice(0, mostLedgerErrors), ...found };
}

type VerifyState = { key: Buffer | null; faults: string[]; known: Head | null; last: number };

/** Up to the last seal at the start: new seals may be made meanwhile. */
async function verifySeals(db: Db, { key, faults, known, last }: VerifyState): Promise<number> {
  let previous = beforeAll;
  let count = 0;
  let isKnownThere = known === null;
  for (let from = 1; from <= last; from += sealsAtOnce) {
    const to = Math.min(last, from + sealsAtOnce - 1);
    const seals = await readSeals(db, { from, limit: sealsAtOnce });
    const within = seals.filter(({ seal }) => seal <= to);
    const rows = Map.groupBy(await readSealed(db, from, to), ({ seal }) => seal);
    for (const seal of within) {
      count += 1;
      if (seal.seal !== count) faults.push(`Seal ${count} is missing.`);
      faults.push(...listSealErrors(seal, { key, previous, rows: rows.get(seal.seal) ?? [] }));
      if (seal.seal === known?.seal && seal.mac === known.mac) isKnownThere = true;
      rows.delete(seal.seal);
      previous = seal.mac;
      count = seal.seal;
    }
    for (const seal of rows.keys()) faults.push(`Rows belong to seal ${seal}, which is missing.`);
  }
  if (!isKnownThere) faults.push(`Seal ${known?.seal} differs from the head you gave.`);
  return count;
}

type SealContext = { key: Buffer | null; previous: string; rows: Awaited<ReturnType<typeof readSealed>> };

function listSealErrors(seal: SealRow, { key, previous, rows }: SealContext): string[] {
  const faults = [];
  if (rows.length !== seal.rows)
    faults.push(`Seal ${seal.seal} covers ${rows.length} rows; it was made over ${seal.rows}.`);
  else if (computeRoot(rows) !== seal.root)
    faults.push(`The rows of seal ${seal.seal} were changed after they were sealed.`);
  if (seal.previous_mac !== previous) faults.push(`Seal ${seal.seal} does not match the seal before it.`);
  if (!key || computeMac(key, seal) !== seal.mac) faults.push(`Seal ${seal.seal} was not made by this server's key.`);
  return faults;
}

async function verifyChains(db: Db, faults: string[]): Promise<{ rows: number; drafts: number }> {
  const seen = { rows: 0, drafts: 0 };
  let after: string | null = null;
  for (;;) {
    const rows: LedgerRow[] = await readLedgersAfter(db, after, draftsAtOnce);
    if (rows.length === 0) return seen;
    for (const [draftId, ledger] of Map.groupBy(rows, ({ draft_id }) => draft_id)) {
      const broken = findBrokenLink(ledger);
      if (broken !== null)
        faults.push(`Draft ${draftId}: row ${broken} of its ledger was changed, or one before it is missing.`);
      after = draftId;
      seen.drafts += 1;
    }
    seen.rows += rows.length;
  }
}
