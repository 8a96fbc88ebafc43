import { expect, test } from 'vitest';
import { composeMail } from './compose-mail.ts';
import { mailAddress, partsOf } from './mail-address.ts';

test.each([
  ['ana@example.com', '', 'ana@example.com'],
  [' Ana Lu <ana@example.com>', 'Ana Lu', 'ana@example.com'],
  ['"Ana, (Sales): a@b" <ana@example.com>', 'Ana, (Sales): a@b', 'ana@example.com'],
  ['<ana@example.com>', '', 'ana@example.com'],
  ['Zoë Ærø <zoe@exämple.com>', 'Zoë Ærø', 'zoe@exämple.com'],
])('a mail address: %s', async (written, name, address) => {
  expect(partsOf(mailAddress.parse(written))).toEqual({ name, address });
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
  expect(() => partsOf(written)).toThrow('is no address');
});
