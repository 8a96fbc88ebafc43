// The fields of a form, and the texts that a browser sends for them.
import { AppError } from '#kernel/errors';
import { checkSize, isDate, type Column, type Row } from '../columns.ts';

/** What a person typed or chose, by column. */
export type FormTexts = Readonly<Record<string, string>>;

/** The types that a form can ask for. */
export const formTypes: readonly Column['type'][] = ['text', 'number', 'boolean', 'date'];

const longestText = 10_000;

type Reading = (text: string) => unknown;

/** How a text of each type is read; undefined: it does not fit. */
const readings: Readonly<Partial<Record<Column['type'], Reading>>> = {
  text: (text) => (text.length <= longestText ? text : undefined),
  number: (text) => (/^-?\d{1,15}([.,]\d{1,10})?$/.test(text) ? Number(text.replace(',', '.')) : undefined),
  boolean: (text) => ({ yes: true, no: false })[text],
  date: (text) => (isDate(text) ? text : undefined),
};

const hints: Readonly<Partial<Record<Column['type'], string>>> = {
  text: `Write at most ${longestText} characters.`,
  number: 'Write a number, such as 12.5.',
  boolean: 'Choose yes or no.',
  date: 'Write a date as 2026-01-31.',
};

/** The cells of a row. Throws `invalid_input` that names the field, for the person who sent it. */
export function parseTexts(columns: readonly Column[], texts: FormTexts): Row {
  // From entries, because a column may have any name.
  const cells: Row = Object.fromEntries(
    columns.map((column) => [column.name, parseText(column, texts)] as const).filter(([, value]) => value !== null),
  );
  if (!Object.keys(cells).length) throw new AppError('invalid_input', 'Fill in at least one field.');
  checkSize(cells, 'What you wrote');
  return cells;
}

/** Null: nothing was typed. */
function parseText({ name, type }: Column, texts: FormTexts): unknown {
  const typed = Object.hasOwn(texts, name) ? texts[name] : undefined;
  const text = (typed ?? '').replaceAll('\r\n', '\n').trim();
  if (text === '') return null;
  const value = readings[type]?.(text);
  if (value === undefined) throw new AppError('invalid_input', `${name}: ${hints[type] ?? 'This field is not asked.'}`);
  return value;
}

/** Cells as the texts of the fields. */
export function formatTexts(cells: Row): FormTexts {
  return Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, formatText(value)]));
}

function formatText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
