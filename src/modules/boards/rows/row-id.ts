// The id of a row, which is shown as `row_id` beside its fields.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Row } from '../columns.ts';
import { limits } from '../limits.ts';

export const rowIdField = 'row_id';

export const rowId = z.string().min(1).max(limits.rowIdCharacters).describe('`row_id` of a row, from `get_board`.');

/** A row to be stored: its fields, and the id that its writer chose. */
export type SplitRow = { key: string | null; fields: Row };

/** Takes the id out of an appended row. Numbers are ids, too; null and none: the server chooses one. */
export function splitRow({ [rowIdField]: given, ...fields }: Row, where: string): SplitRow {
  if (given === undefined || given === null) return { key: null, fields };
  const key = typeof given === 'number' ? String(given) : given;
  if (typeof key === 'string' && key !== '' && key.length <= limits.rowIdCharacters) return { key, fields };
  throw new AppError(
    'invalid_input',
    `${where}.${rowIdField}: must be a text of 1 to ${limits.rowIdCharacters} characters.`,
    { column: rowIdField },
  );
}

/** A row in answers: its fields, with its id beside them. */
export function presentRow({ row_id, fields }: { row_id: string; fields: Row }): Row {
  return { ...fields, [rowIdField]: row_id };
}

/** A row after a change, as operations answer it. */
export const presentedRow = z.object({
  row_id: z.string(),
  version: z.number(),
  row: z.record(z.string(), z.unknown()).describe('Its fields, with `row_id` beside them.'),
});
export type PresentedRow = z.output<typeof presentedRow>;
