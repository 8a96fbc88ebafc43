import { expect, test } from 'vitest';
import { decodeText } from './charset.ts';
import { decodeHeader, formatMailbox, readAddresses } from './headers.ts';

// RFC 2047 section 8 gives the first four.
test.each([
  ['=?ISO-8859-1?Q?a?=', 'a'],
  ['=?ISO-8859-1?Q?a?= b', 'a b'],
  ['=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=', 'ab'],
  ['=?ISO-8859-1?Q?a_b?=', 'a b'],
  ['=?utf-8?B?R3LDvMOfZQ==?= aus =?iso-8859-1?q?Z=FCrich?=', 'Grüße aus Zürich'],
  ['=?utf-8?Q?Mai=C5?=\r\n =?utf-8?Q?=A1elis?=', 'Maišelis'],
  ['=?UTF-8?B?UGFydHkg8J8=?=\r\n =?UTF-8?B?jok=?=', 'Party \u{1f389}'],
  ['=?utf-8*fr?Q?Cr=C3=A8me?=', 'Crème'],
  ['=?iso-2022-jp?B?GyRCJDMkcxsoQg==?=', 'こん'],
  ['=?iso-2022-jp?B?GyRCMnEbKEI=?=\r\n =?ISO-2022-JP?B?GyRCNUQbKEI=?=', '会議'],
  ['=?iso-8859-1?Q?Caf=E9?=', 'Café'],
  ['=?cp932?B?k/qWew==?=', '日本'],
  ['=?us-ascii?Q?=3D=3Futf-8=3FQ=3Fa=3F=3D?=', '=?utf-8?Q?a?='],
  ['Re:\r\n =?utf-8?Q?=E4=BA=88?=(draft)', 'Re: 予(draft)'],
  ['plain =? text', 'plain =? text'],
])('the header %j is read as «%s»', (raw, text) => {
  expect(decodeHeader(raw)).toBe(text);
});

const formatAddresses = (header: string) => readAddresses(header).map(formatMailbox);

test.each([
  ['"Roe, Richard" <richard@example.com>, bob@x.example', ['Roe, Richard <richard@example.com>', 'bob@x.example']],
  ['=?UTF-8?Q?M=C3=BCller=2C_Uwe?= <uwe@example.com>', ['Müller, Uwe <uwe@example.com>']],
  ['lee@example.com (Lee Wong)', ['Lee Wong <lee@example.com>']],
  ['ann@example.com (Ann (of) X)', ['Ann of X <ann@example.com>']],
  ['Ann (Sales (EU)) <ann@example.com>, b@x.example', ['Ann <ann@example.com>', 'b@x.example']],
  ['"Ann (Sales (EU))" <ann@example.com>', ['Ann (Sales (EU)) <ann@example.com>']],
  ['"desk@corp" <desk@example.com>', ['"desk@corp" <desk@example.com>']],
  ['"Jim \\"Bo\\" Roe" <jim@example.com>', [`"Jim 'Bo' Roe" <jim@example.com>`]],
  [
    '"eve@rival.example <eve@rival.example>" <ana@example.com>',
    ['"eve@rival.example eve@rival.example" <ana@example.com>'],
  ],
  ['"A\u202Ena" <ana@example.com>', ['A na <ana@example.com>']],
  ['\u{1f469}\u200d\u{1f4bb} Ana <ana@example.com>', ['\u{1f469}\u200d\u{1f4bb} Ana <ana@example.com>']],
  ['Crew: a@x.example, B <b@x.example>;', ['a@x.example', 'B <b@x.example>']],
  ['undisclosed-recipients:;', []],
  ['ana@example.com <ana@example.com>', ['ana@example.com']],
  ['', []],
])('the people of %j are shown as %j', (header, people) => {
  expect(formatAddresses(header)).toEqual(people);
});

test('a long name does not cut its address', () => {
  const [person = ''] = formatAddresses(`"${'Long '.repeat(200)}" <ana@example.com>`);
  expect(person.length).toBeLessThanOrEqual(320);
  expect(person).toMatch(/ <ana@example\.com>$/);
});

test.each(['<', '(', '"\\', '=?utf-8?Q?', 'a@b <', '(('])(
  'a header that consists of %j takes no longer than another of its length',
  (text) => {
    const startedAt = performance.now();
    readAddresses(text.repeat(200_000 / text.length));
    decodeHeader(text.repeat(200_000 / text.length));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  },
);

test.each([
  ['Zürich', Buffer.from('Zürich', 'latin1'), 'iso-8859-1'],
  ['Zürich', Buffer.from('Zürich'), 'iso-8859-1'],
  ['Zürich', Buffer.from('Zürich', 'latin1'), undefined],
  ['Zürich', Buffer.from('Zürich', 'latin1'), 'x-none'],
  ['\ufeffZürich'.slice(1), Buffer.from('\ufeffZürich', 'utf16le'), undefined],
  ['こん', Buffer.from('1b2442243324731b2842', 'hex'), 'ISO-2022-JP'],
  ['日本', Buffer.from('93fa967b', 'hex'), 'cp932'],
  ['会議', Buffer.from('1b244232711b28421b244235441b2842', 'hex'), 'iso-2022-jp'],
  ['会議', Buffer.from('1b244232711b284a1b244235441b2842', 'hex'), undefined],
  ['A \x1b[1mB', Buffer.from('A \x1b[1mB'), undefined],
  ['Café', Buffer.from('Café', 'latin1'), 'iso-8859-1'],
  ['Café', Buffer.from('Café', 'latin1'), undefined],
  ['Grüße ', Buffer.from('Grüße ü').subarray(0, -1), undefined],
  ['Grüße ', Buffer.from('Grüße ü').subarray(0, -1), 'utf-8'],
  ['Hallo', Buffer.from('Hallo', 'utf16le'), 'UTF-16LE'],
  ['Hallo', Buffer.from('Hallo'), 'utf-16'],
])('the text «%s» is read in its charset, case %#', (text, bytes, charset) => {
  expect(decodeText(bytes, charset)).toBe(text);
});
