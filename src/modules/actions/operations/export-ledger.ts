import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { LedgerRow } from '../store/ledger.ts';
import {
  findLastSeal,
  readLedgerBySeal,
  readLedgerBeyond,
  readSeals,
  type RowPlace,
  type SealRow,
} from '../store/seals.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const cursorForm = new RegExp(`^(sealed|open):(\\d{1,9}):(\\d{1,9}):(?:(${uuid}):(\\d{1,9}))?$`);

/** The position of an export: in the rows that were sealed when it began, or in later rows. */
type ExportPosition = { part: 'sealed' | 'open'; lastSeal: number; seal: number; after: RowPlace | null };
type Page = { lines: Record<string, unknown>[]; next: ExportPosition | null };

export const exportLedger = defineOperation({
  name: 'export_ledger',
  summary:
    'Export the record of every draft of the workspace and its seals, page by page, as lines of a JSON Lines file.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'workspace:admin', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/ledger/export' }],
  input: z.strictObject({
    cursor: z
      .string()
      .max(100)
      .optional()
      .describe('`next_cursor` of the previous page. Leave it out for the first page.'),
    limit: z.number().int().min(1).max(500).default(200).describe('Maximum steps per answer.'),
  }),
  output: z.object({
    lines: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Steps and seals (`kind`). Each seal follows the steps that it seals. Steps without a seal come last.'),
    next_cursor: z.string().nullable().describe('Null: this is the last page.'),
  }),
  errors: ['forbidden', 'invalid_input'],
  examples: [{ title: 'The very first step', input: { limit: 1 } }],
  async run({ db }, { cursor, limit }) {
    const place = cursor === undefined ? await findBeginning(db) : parseCursor(cursor);
    const { lines, next } = await (place.part === 'sealed' ? readSealedPage : openFrom)(db, place, limit);
    return { lines, next_cursor: next && formatCursor(next) };
  },
});

async function findBeginning(db: Db): Promise<ExportPosition> {
  return { part: 'sealed', lastSeal: (await findLastSeal(db))?.seal ?? 0, seal: 1, after: null };
}

/** Steps by their seals. Sealed rows never change, so consecutive pages fit together. */
async function readSealedPage(db: Db, place: ExportPosition, limit: number): Promise<Page> {
  const rows = await readLedgerBySeal(db, { ...place, limit });
  const isEnd = rows.length < limit;
  const lastOfPage = rows.at(-1);
  const until = isEnd ? place.lastSeal + 1 : (lastOfPage?.seal ?? place.seal);
  const seals = await readSeals(db, { from: place.seal, limit: until - place.seal });
  const lines: Record<string, unknown>[] = [];
  const seal = seals.values();
  let due = seal.next();
  for (const row of rows) {
    for (; !due.done && due.value.seal < (row.seal ?? 0); due = seal.next()) lines.push(sealLine(due.value));
    lines.push(toStepLine(row));
  }
  for (; !due.done; due = seal.next()) lines.push(sealLine(due.value));
  if (isEnd) {
    const open = await openFrom(db, { ...place, part: 'open', after: null }, limit - rows.length);
    return { lines: [...lines, ...open.lines], next: open.next };
  }
  return { lines, next: { ...place, seal: until, after: lastOfPage ?? null } };
}

/** Rows without a seal, or with a seal made since the export began. */
async function openFrom(db: Db, place: ExportPosition, limit: number): Promise<Page> {
  const rows = await readLedgerBeyond(db, { ...place, limit });
  const next = rows.length < limit ? null : { ...place, after: rows.at(-1) ?? null };
  return { lines: rows.map(toStepLine), next };
}

function toStepLine({ at, ...row }: LedgerRow): Record<string, unknown> {
  return { kind: 'step', at: at.toISOString(), ...row };
}

function sealLine({ at, ...seal }: SealRow): Record<string, unknown> {
  return { kind: 'seal', at: at.toISOString(), ...seal };
}

function formatCursor({ part, lastSeal: last, seal, after }: ExportPosition): string {
  return `${part}:${last}:${seal}:${after ? `${after.draft_id}:${after.seq}` : ''}`;
}

function parseCursor(cursor: string): ExportPosition {
  const [, part, last, seal, draftId, seq] = cursorForm.exec(cursor) ?? [];
  if (part !== 'sealed' && part !== 'open')
    throw new AppError('invalid_input', 'cursor: not from this operation. Use next_cursor of its previous answer.');
  const after = draftId === undefined ? null : { draft_id: draftId, seq: Number(seq) };
  return { part, lastSeal: Number(last), seal: Number(seal), after };
}
