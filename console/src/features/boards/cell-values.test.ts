import { expect, test } from 'vitest';
import { formatCell, formatInput, hasText, parseCell, type ColumnType } from './cell-values.ts';

test.each<[unknown, ColumnType]>([
  ['12', 'json'],
  ['true', 'json'],
  ['plain words', 'json'],
  [{ a: [1, null] }, 'json'],
  [12.5, 'number'],
  [-0.000001, 'number'],
  [1e21, 'json'],
  [false, 'boolean'],
  [true, 'json'],
  ['2026-01-31', 'date'],
  ['  spaces stay  ', 'text'],
  ['{"not": "parsed"}', 'text'],
  [null, 'text'],
  [null, 'json'],
])('the value %o of a column of type %s is the same after it was shown for editing and saved', (value, type) => {
  expect(parseCell(formatInput(value, type), type)).toEqual({ value });
});

test('a text that does not fit its column says what to write', () => {
  expect(parseCell('twelve', 'number')).toMatchObject({ problem: expect.stringContaining('number') });
  expect(parseCell('perhaps', 'boolean')).toMatchObject({ problem: 'Write yes or no.' });
  expect(parseCell('Monday', 'date')).toMatchObject({ problem: expect.stringContaining('2026-01-31') });
});

test('a filter finds what is shown and what is written, but not the id of a row', () => {
  const row = { row_id: 'inv-1', total: 12345, name: 'Åsa' };
  expect(formatCell(row.total)).toBe('12,345');
  for (const words of ['12345', '12,345', 'åsa']) expect(hasText(row, words), words).toBe(true);
  expect(hasText(row, 'inv-1')).toBe(false);
});
