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

const typeNames = Object.keys(types) as [keyof typeof types, ...(keyof typeof types)[]]; // an object's keys are typed as any text

export const column = z.strictObject({
  name: z.string().trim().min(1).max(100),
  type: z.enum(typeNames).default('text'),
});
export type Column = z.output<typeof column>;

export const row = z.record(z.string().min(1).max(100), z.unknown());
export type Row = z.output<typeof row>;

/** Throws `invalid_input` that names the first row and field that do not fit. Without columns a row may have any fields. */
export function checkRows(columns: readonly Column[], rows: readonly Row[]): void {
  for (const [index, fields] of rows.entries()) {
    const where = `rows[${index}]`;
    if (JSON.stringify(fields).length > limits.bytesPerRow)
      throw new AppError('invalid_input', `${where}: a row may have at most ${limits.bytesPerRow} bytes as JSON.`);
    if (!columns.length) continue;
    for (const [name, value] of Object.entries(fields)) {
      const found = columns.find((each) => each.name === name);
      const known = columns.map((each) => each.name).join(', ');
      if (!found) throw new AppError('invalid_input', `${where}: there is no column ${name}. Columns: ${known}.`);
      if (value !== null && !types[found.type].safeParse(value).success)
        throw new AppError(
          'invalid_input',
          `${where}.${name}: must be ${found.type === 'text' ? 'a text' : `of type ${found.type}`}.`,
        );
    }
  }
}

/** The columns to show: the declared ones, else all fields of the rows. */
export function chooseColumns(declared: readonly Column[], rows: readonly Row[]): Column[] {
  if (declared.length) return [...declared];
  return [...new Set(rows.flatMap((fields) => Object.keys(fields)))].map((name) => ({ name, type: 'json' as const }));
}
