// Questions to a language model whose answer is cells of columns. What it answers is checked like any other input.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { checkCells, checkSize, type Column, type Row } from '../columns.ts';

/** One field for each column: providers do not accept every column name as the name of a field. */
const answerTypes = {
  text: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.string(),
  json: z.string(),
} as const;

const forms: Readonly<Record<Column['type'], string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date as 2026-01-31, or a time as 2026-01-31T10:00:00Z',
  json: 'a value as JSON text',
};

/** The schema of the cells of one row. Null: not known. */
export function buildCellFields(columns: readonly Column[]): Record<string, z.ZodNullable> {
  return Object.fromEntries(columns.map(({ type }, at) => [getFieldName(at), answerTypes[type].nullable()]));
}

/** The columns in a question, as JSON. */
export function describeColumns(columns: readonly Column[]): string {
  return JSON.stringify(
    columns.map(({ name, type }, at) => ({ field: getFieldName(at), column: name, value: forms[type] })),
  );
}

/**
 * The cells that an answer has for a row; those that the model does not know are left out. Throws `upstream_failed` for one
 * that does not fit its column, or that makes the row too large.
 */
export function readCells(
  columns: readonly Column[],
  answer: Readonly<Record<string, unknown>>,
  { name: row, fields }: { name: string; fields: Row },
): Row {
  // From entries, because a column may have any name.
  const cells: Row = Object.fromEntries(
    columns.flatMap(({ name, type }, at) => {
      const value = answer[getFieldName(at)] ?? null;
      return value === null || value === '' ? [] : [[name, type === 'json' ? parseJson(String(value)) : value]];
    }),
  );
  try {
    checkCells(columns, cells, { where: `row ${row}`, row });
    checkSize({ ...fields, ...cells }, `row ${row}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `The language model answered a value that does not fit: ${error.message} Nothing was written. Try again, or say it more exactly in the prompt.`;
    throw new AppError('upstream_failed', message, error.details, { cause: error });
  }
  return cells;
}

function getFieldName(at: number): string {
  return `c${at + 1}`;
}

/** A model writes a plain text as it is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
