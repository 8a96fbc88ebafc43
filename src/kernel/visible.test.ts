import { expect, test } from 'vitest';
import { visible, visiblePreview } from './visible.ts';

test.each([
  ['pay\u202Efdp.exe', 'pay[U+202E]fdp.exe'],
  ['ana\u200B@example.com', 'ana[U+200B]@example.com'],
  ['one\u2028two\u2029three', 'one[U+2028]two[U+2029]three'],
  ['bell\u0007 and \u{E0041}', 'bell[U+0007] and [U+E0041]'],
])('the text %j is shown as %s', (written, shown) => {
  expect(visible(written)).toBe(shown);
});

test('line ends, tabs, joined emoji and joined letters stay as they are', () => {
  for (const text of ['one\ntwo\tthree', '👩‍💻', 'می‌خواهم']) expect(visible(text)).toBe(text);
  expect(visible('one\r\ntwo')).toBe('one\ntwo');
});

test('invisible characters are shown in the title, every field and the former value', () => {
  const fields = [{ label: 'To', text: '\u202Eana', was: '\u202Ebob' }];
  expect(visiblePreview({ title: 'Mail\u202E', fields, isComplete: true })).toEqual({
    title: 'Mail[U+202E]',
    fields: [{ label: 'To', text: '[U+202E]ana', was: '[U+202E]bob' }],
    isComplete: true,
  });
});
