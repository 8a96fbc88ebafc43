import { expect, test } from 'vitest';
import { showUnseen, showUnseenInPreview } from './visible.ts';

test.each([
  ['pay\u202Efdp.exe', 'pay[U+202E]fdp.exe'],
  ['ana\u200B@example.com', 'ana[U+200B]@example.com'],
  ['one\u2028two\u2029three', 'one[U+2028]two[U+2029]three'],
  ['pay\u3164\u115F\u1160\uFFA0ee', 'pay[U+3164][U+115F][U+1160][U+FFA0]ee'],
  ['IBAN DE\uFE0F12', 'IBAN DE[U+FE0F]12'],
  ['1\uFE0F2', '1[U+FE0F]2'],
  ['a\u2800\u{1D159}\u034F\u00ADb', 'a[U+2800][U+1D159][U+034F][U+00AD]b'],
  ['a\u200Db\u200Cc', 'a[U+200D]b[U+200C]c'],
  ['x\u{E0100}\u{E0061}\u180B', 'x[U+E0100][U+E0061][U+180B]'],
  ['half \uD83D', 'half [U+D83D]'],
  ['bell\u0007 and \u{E0041}', 'bell[U+0007] and [U+E0041]'],
])('the text %j is shown as %s', (written, shown) => {
  expect(showUnseen(written)).toBe(shown);
});

test('line ends, tabs, joined emoji and joined letters stay as they are', () => {
  for (const text of [
    'one\ntwo\tthree',
    '👩‍💻',
    '👩🏽‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥',
    '❤️ ☎︎ ©️ 1️⃣ #️⃣ 🇩🇪',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    'می‌خواهم',
    'क्‍ष',
    '葛\u{E0100}城',
    'déjà vu, 東京　大阪',
  ])
    expect(showUnseen(text)).toBe(text);
  expect(showUnseen('one\r\ntwo')).toBe('one\ntwo');
});

test('invisible characters are shown in the title, every field and the former value', () => {
  const fields = [{ label: 'To', text: '\u202Eana', was: '\u202Ebob' }];
  expect(showUnseenInPreview({ title: 'Mail\u202E', fields, isComplete: true })).toEqual({
    title: 'Mail[U+202E]',
    fields: [{ label: 'To', text: '[U+202E]ana', was: '[U+202E]bob' }],
    isComplete: true,
  });
});
