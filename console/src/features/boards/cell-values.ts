// What cells of a board hold, as people read and write it.

/** The types that columns have. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'json';

const dateForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const truths: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

/** The value for eyes. */
export function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return value.toLocaleString();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value as it is written in a field, so that `parseCell` reads the same value. */
export function formatInput(value: unknown, type: ColumnType): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean' && type === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return type === 'json' && parseJson(value) !== undefined ? JSON.stringify(value) : value;
}

/** The value that a text means, or what is wrong with it. An empty text empties the cell. */
export function parseCell(text: string, type: ColumnType): { value: unknown } | { problem: string } {
  const trimmed = text.trim();
  if (type === 'text') return { value: text === '' ? null : text };
  if (trimmed === '') return { value: null };
  if (type === 'number') {
    const value = Number(trimmed);
    return Number.isFinite(value) ? { value } : { problem: 'Write a number, such as 12.5.' };
  }
  if (type === 'boolean') {
    const value = Object.hasOwn(truths, trimmed.toLowerCase()) ? truths[trimmed.toLowerCase()] : undefined;
    return value === undefined ? { problem: 'Write yes or no.' } : { value };
  }
  if (type === 'date')
    return dateForm.test(trimmed)
      ? { value: trimmed }
      : { problem: 'Write a date as 2026-01-31, or a time as 2026-01-31T10:00Z.' };
  const parsed = parseJson(trimmed);
  return { value: parsed === undefined ? text : parsed };
}

/** Without declared columns a cell holds any JSON; all else is a text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a row has a text in any of its cells. */
export function hasText(row: Readonly<Record<string, unknown>>, words: string): boolean {
  const wanted = words.toLowerCase();
  return Object.entries(row).some(
    ([name, value]) =>
      name !== 'row_id' &&
      (formatCell(value).toLowerCase().includes(wanted) || formatInput(value, 'text').toLowerCase().includes(wanted)),
  );
}
