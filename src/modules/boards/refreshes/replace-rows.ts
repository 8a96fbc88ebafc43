// Swaps the rows of a dataset for those that a source has now.
import { createHash } from 'node:crypto';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { toStorableJson } from '#platform/database';
import type { AdapterRow } from '#providers/kit';
import { checkCells, checkSizeOfText, type Column } from '../columns.ts';
import { emitBoardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { rowIdField } from '../rows/row-id.ts';
import { touchBoard } from '../store/boards.ts';
import { listDatasets } from '../store/datasets.ts';
import { swapRows, type GivenRow } from '../store/replaced-rows.ts';
import { removeDeletedBeyond } from '../store/rows.ts';
import type { BoardRow } from '../store/tables.ts';

export type ReplaceInput = {
  dataset: string;
  rows: readonly AdapterRow[];
  keyField: string | null;
  targetField: string | null;
  /** The writer of these rows. */
  label: string;
};

/** The board is locked by the caller. Rows that are equal are not written. Returns how many rows there are, and how many changed. */
export async function replaceRows(
  ctx: Context,
  board: BoardRow,
  { dataset, label, ...input }: ReplaceInput,
): Promise<{ rows: number; changed: number }> {
  const columns = (await listDatasets(ctx.db, board.id)).find(({ name }) => name === dataset)?.columns ?? [];
  const given = buildRows(ctx, input, columns);
  const location = { boardId: board.id, dataset };
  const by = { workspaceId: board.workspace_id, label, at: ctx.now };
  const changed = await swapRows(ctx.db, location, given, by);
  if (changed.length) {
    await removeDeletedBeyond(ctx.db, location, limits.deletedRowsPerDataset);
    await touchBoard(ctx.db, board.id, ctx.now);
  }
  // As large as the events of other writers.
  for (let from = 0; from < changed.length; from += limits.rowsPerCall)
    await emitBoardChanged(ctx, { ...board, dataset, rowIds: changed.slice(from, from + limits.rowsPerCall) });
  return { rows: given.length, changed: changed.length };
}

type KeyedRows = Omit<ReplaceInput, 'dataset' | 'label'>;

/** The rows as they are stored. Of several with one key the first counts. */
function buildRows(ctx: Context, { rows, keyField, targetField }: KeyedRows, columns: readonly Column[]): GivenRow[] {
  const given = new Map<string, GivenRow>();
  const repeats = new Map<string, number>();
  for (const [index, { [rowIdField]: _taken, ...own }] of rows.entries()) {
    const where = `rows[${index}]`;
    const value = keyField === null ? null : keyField === rowIdField ? _taken : own[keyField];
    const fields = { ...own, ...(targetField !== null && { [targetField]: value ?? null }) };
    const text = writeStorable(fields);
    checkSizeOfText(text, where);
    checkDeclared(columns, fields, { where, row: index });
    const key = keyField === null ? createContentKey(fields, repeats) : readKey(value, keyField, where);
    if (!given.has(key)) given.set(key, { id: ctx.newId(), key, fields: text });
  }
  return [...given.values()];
}

/** The cells of declared columns must fit; other fields are stored and not shown, as everywhere. */
function checkDeclared(columns: readonly Column[], fields: AdapterRow, place: { where: string; row: number }): void {
  const names = columns.map(({ name }) => name).filter((name) => Object.hasOwn(fields, name));
  if (names.length) checkCells(columns, Object.fromEntries(names.map((name) => [name, fields[name]])), place);
}

function readKey(value: unknown, keyField: string, where: string): string {
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key === 'string' && key !== '' && key.length <= limits.rowIdCharacters) return key;
  throw new AppError(
    'invalid_input',
    `${where}.${keyField}: must be a text of 1 to ${limits.rowIdCharacters} characters or a number, because it is the row_id. Name another dedupe_key_field.`,
  );
}

/** Rows without a key are known by their content: equal ones by their number. */
function createContentKey(fields: AdapterRow, repeats: Map<string, number>): string {
  const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22);
  const count = (repeats.get(hash) ?? 0) + 1;
  repeats.set(hash, count);
  return count === 1 ? hash : `${hash}-${count}`;
}

/** What PostgreSQL cannot store is written as \\u in JSON; only then the text is written again without it. */
function writeStorable(fields: AdapterRow): string {
  const text = JSON.stringify(fields);
  return text.includes('\\u0000') || text.includes('\\ud') ? JSON.stringify(toStorableJson(fields)) : text;
}
