// The columns of a dataset, and the check of rows against them.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { limits } from './limits.ts';

/** The check for values of each type. Every column accepts null. */
const types = {
  text: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
  json: z.unknown(),
} as const;

const typeNames = Object.keys(types) as [keyof typeof types, ...(keyof typeof types)[]]; // TypeScript types the keys of an object as any string

export const column = z.strictObject({
  name: z.string().trim().min(1).max(100),
  type: z.enum(typeNames).default('text'),
});
export type Column = z.output<typeof column>;

export const row = z.record(z.string().min(1).max(100), z.unknown());
export type Row = z.output<typeof row>;

/** Throws `invalid_input` that names the first row and column that do not fit. Without columns a row may have any fields. */
export function checkRows(columns: readonly Column[], rows: readonly Row[]): void {
  for (const [index, fields] of rows.entries()) {
    const where = `rows[${index}]`;
    checkSize(fields, where);
    checkCells(columns, fields, { where, row: index });
  }
}

/** Throws `invalid_input` for a row that is too large. */
export function checkSize(fields: Row, where: string): void {
  checkSizeOfText(JSON.stringify(fields), where);
}

/** As `checkSize`, for a row that was written as JSON already. */
export function checkSizeOfText(text: string, where: string): void {
  if (text.length > limits.bytesPerRow)
    throw new AppError('invalid_input', `${where}: a row may have at most ${limits.bytesPerRow} bytes as JSON.`);
}

/** Throws `invalid_input` for the first cell that does not fit its column. `row` is its place or id. */
export function checkCells(
  columns: readonly Column[],
  cells: Row,
  { where, row }: { where: string; row: number | string },
): void {
  if (!columns.length) return;
  for (const [name, value] of Object.entries(cells)) {
    const found = columns.find((each) => each.name === name);
    const known = columns.map((each) => each.name).join(', ');
    const details = { row, column: name };
    if (!found)
      throw new AppError('invalid_input', `${where}: there is no column ${name}. Columns: ${known}.`, details);
    if (value !== null && !types[found.type].safeParse(value).success)
      throw new AppError('invalid_input', `${where}.${name}: must be ${describeType(found.type)}.`, details);
  }
}

/** The column of a dataset by its name. A dataset without columns takes any, as text. Throws `conflict`. */
export function chooseColumn(columns: readonly Column[], name: string, what: string): Column {
  const found = columns.find((each) => each.name === name);
  if (found) return found;
  if (!columns.length) return { name, type: 'text' };
  const known = columns.map((each) => each.name).join(', ');
  throw new AppError('conflict', `${what} ${name}, and its dataset has no such column. Columns: ${known}.`);
}

export function describeType(type: Column['type']): string {
  return type === 'text' ? 'a text' : `of type ${type}`;
}

/** Whether a text is a date or time of a column of dates. */
export function isDate(text: string): boolean {
  return types.date.safeParse(text).success;
}

/** The columns to show: the declared ones, else all fields of the rows. */
export function chooseColumns(declared: readonly Column[], rows: readonly Row[]): Column[] {
  if (declared.length) return [...declared];
  const names = new Set(rows.flatMap((fields) => Object.keys(fields)));
  return [...names].map((name) => ({ name, type: 'json' as const }));
}
