import { expect, test } from 'vitest';
import { writePath } from '#providers/http';
import { isAsRequested, isLoosely, readPresentValues } from './compare.ts';
import { choice, lines, text, time, values } from './fields.ts';

const fields = {
  start: time('Start'),
  labels: lines('Labels', { most: 5 }),
  body: text('Text'),
  priority: choice('Priority', { options: { low: 'Low', high: 'High' }, sent: { low: 4, high: 2 } }),
  columns: values('Columns'),
};
type Item = { start?: string; labels?: string[]; body?: string | null; priority?: number; columns?: object };
const has = {
  start: (item: Item) => item.start,
  labels: (item: Item) => item.labels,
  body: (item: Item) => item.body,
  priority: (item: Item) => item.priority,
  columns: (item: Item) => item.columns,
};
const isDone = (item: Item, input: object) => isAsRequested({ fields, has, item, input: { ...input } });

test.each([
  ['a moment in another zone', { start: '2026-06-01T10:00:00.0000000' }, { start: '2026-06-01T12:00:00+02:00' }],
  ['a whole day that has its midnight', { start: '2026-06-01T00:00:00.000' }, { start: '2026-06-01' }],
  ['a list in another order', { labels: ['b', 'a'] }, { labels: ['a', 'b'] }],
  ['a text with other line ends', { body: 'One.\r\nTwo.\r\n' }, { body: 'One.\nTwo.' }],
  ['an option in the words of the provider', { priority: 2 }, { priority: 'high' }],
  ['a column among others', { columns: { a: 'Done', b: 'x' } }, { columns: { a: { label: 'Done' } } }],
])('the value %s equals the requested one', (_case, item, input) => {
  expect(isDone(item, input)).toBe(true);
});

test.each([
  ['another moment', { start: '2026-06-01T10:00:01Z' }, { start: '2026-06-01T10:00:00Z' }],
  ['a moment instead of a day', { start: '2026-06-01T09:00:00Z' }, { start: '2026-06-01' }],
  ['a shorter list', { labels: ['a'] }, { labels: ['a', 'b'] }],
  ['nothing', { body: null }, { body: 'One.' }],
  ['another column', { columns: { b: 'Done' } }, { columns: { a: 'Done' } }],
])('the value %s differs from the requested one', (_case, item, input) => {
  expect(isDone(item, input)).toBe(false);
});

test('the present value is shown in the notation and time zone of the new one, and is left out when it does not change', () => {
  const item: Item = { start: '2026-06-01T10:00:00Z', labels: ['a'], priority: 4 };
  const input = { start: '2026-06-01T13:00:00+02:00', labels: ['a'], priority: 'high', body: 'New.' };
  expect(readPresentValues({ fields, has, item, input })).toEqual([
    { label: 'Start', text: '2026-06-01T12:00:00+02:00' },
    { label: 'Text', text: 'None' },
    { label: 'Priority', text: 'Low' },
  ]);
});

test('loose text comparison ignores HTML tags and white space', () => {
  expect(isLoosely('Gears &amp; wheels', 'Gears &\nwheels')).toBe(true);
  expect(isLoosely('Gears', 'Wheels')).toBe(false);
});

test('a value stays in its path segment, and a value that would leave it is refused', () => {
  expect(writePath`/repos/${'a/b'}/issues/${7}`).toBe('/repos/a%2Fb/issues/7');
  for (const value of ['', '.', '..']) expect(() => writePath`/repos/${value}/issues`).toThrow('cannot identify');
});
