import { decodeHeader, formatMailbox, readAddresses } from '#platform/mime';
import { expect, test } from 'vitest';
import { composeMail } from './compose-mail.ts';
import { mailAddress, splitAddress } from './mail-address.ts';

test.each([
  ['ana@example.com', '', 'ana@example.com'],
  [' Ana Lu <ana@example.com>', 'Ana Lu', 'ana@example.com'],
  ['"Ana, (Sales): a@b" <ana@example.com>', 'Ana, (Sales): a@b', 'ana@example.com'],
  ['Roe, Ana <ana@example.com>', 'Roe, Ana', 'ana@example.com'],
  ['Ana (Sales) <ana@example.com>', 'Ana (Sales)', 'ana@example.com'],
  ['Ana "Bo" Roe <ana@example.com>', 'Ana "Bo" Roe', 'ana@example.com'],
  [String.raw`"Ana \"Bo\" Roe" <ana@example.com>`, 'Ana "Bo" Roe', 'ana@example.com'],
  ['"desk@corp" <ana@example.com>', 'desk@corp', 'ana@example.com'],
  ['<ana@example.com>', '', 'ana@example.com'],
  ['Zoë Ærø <zoe@exämple.com>', 'Zoë Ærø', 'zoe@exämple.com'],
])('a mail address: %s', async (written, name, address) => {
  expect(splitAddress(mailAddress.parse(written))).toEqual({ name, address });
  const mail = { to: [written], cc: [], bcc: [], subject: 'S', body: 'B' };
  const text = (
    await composeMail(mail, { messageId: '<x@y>', reply: null, mark: { name: 'X-Mark', value: '1' }, files: [] })
  ).toString();
  expect(text).toMatch(/^To: .*(ana@example\.com|zoe@xn--exmple-cua\.com)/m);
});

test.each(['\u202E', '\u200B', '\u2028', '\u0007', '\u2066'])(
  'an address with %j in it is refused, in its name as well',
  (unseen) => {
    for (const written of [
      `an${unseen}a@example.com`,
      `A${unseen}na <ana@example.com>`,
      `"A${unseen}na" <ana@example.com>`,
    ])
      expect(mailAddress.safeParse(written).success, JSON.stringify(written)).toBe(false);
  },
);

test.each([
  'eve@rival.example (<ana@example.com>',
  'eve@rival.example(x)',
  'eve@"rival.example"',
  'eve@rival.example "<ana@example.com>',
  'x:eve@rival.example;',
  'x: eve@rival.example <ana@example.com>',
  'eve@rival.example <ana@example.com>',
  'Ana <eve@rival.example> <ana@example.com>',
  '"Ana" eve@rival.example <ana@example.com>',
  '"a\\" <eve@rival.example>, \\"" <ana@example.com>',
  'ana@example.com, eve@rival.example',
  'ana@example.com\r\nBcc: eve@rival.example',
  'eve@[10.0.0.1]',
  'nobody',
])('the ambiguous address %s is refused', (written) => {
  expect(mailAddress.safeParse(written).success).toBe(false);
  expect(() => splitAddress(written)).toThrow('is not an address');
});

test.each([
  '"Roe, Richard" <ana@example.com>',
  '=?UTF-8?Q?M=C3=BCller=2C_Uwe?= <ana@example.com>',
  '"desk@corp" <ana@example.com>',
  '"Jim \\"Bo\\" Roe" <ana@example.com>',
  '"eve@rival.example <eve@rival.example>" <ana@example.com>',
  '"Back\\\\slash; (x): y" <ana@example.com>',
  'ana@example.com (Lee Wong)',
  '=?UTF-8?Q?=E2=80=8FAna?= <ana@example.com>',
  `"${'Long name '.repeat(50)}" <ana@example.com>`,
])('the sender %s, copied from a page, is a valid recipient', (header) => {
  const [shown = ''] = readAddresses(header).map(formatMailbox);
  expect(splitAddress(mailAddress.parse(shown)).address).toBe('ana@example.com');
});

test.each([
  '=?utf-8?Q?plain_words?= offer',
  `=?utf-8?Q?x?= ${'and a long one '.repeat(20).trim()}`,
  '=?utf-8?Q?x?= ärger \u{1f389}',
  'a =? b ?= c',
])('the subject %j is read by its recipient as it was written', async (subject) => {
  const mail = { to: ['ana@example.com'], cc: [], bcc: [], subject, body: 'B' };
  const text = (
    await composeMail(mail, { messageId: '<x@y>', reply: null, mark: { name: 'X-Mark', value: '1' }, files: [] })
  ).toString();
  const header = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(text)?.[1] ?? '';
  expect(decodeHeader(header)).toBe(subject);
  expect(header.split(/\s+/).every((word) => word.length <= 75)).toBe(true);
});
