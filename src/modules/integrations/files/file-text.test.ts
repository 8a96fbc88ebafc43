import { expect, test } from 'vitest';
import { longestText, extractFileText } from './file-text.ts';

const extractText = (content: string | Uint8Array, mimeType: string, filename = 'file') =>
  extractFileText({ bytes: Buffer.from(content as Uint8Array), mimeType, filename }); // the cast picks an overload of TextDecoder

test.each([
  ['text/plain', 'a.txt', 'Saffron threads.'],
  ['text/markdown', 'a.md', '# Saffron'],
  ['text/csv', 'a.csv', 'name,grams\nsaffron,3'],
  ['application/json', 'a.json', '{"spice":"saffron"}'],
  ['text/calendar', 'a.ics', 'BEGIN:VCALENDAR\nSUMMARY:Saffron\nEND:VCALENDAR'],
  ['application/xml', 'a.xml', '<?xml version="1.0"?><spice>saffron</spice>'],
  ['application/octet-stream', 'a.log', '12:00 saffron arrived'],
  ['application/octet-stream', 'a.ts', 'export const spice = "saffron";'],
])('the text of %s (%s) is read unchanged', async (mimeType, filename, content) => {
  expect(await extractText(content, mimeType, filename)).toBe(content);
});

test('HTML becomes its visible text', async () => {
  const page = '<html><style>p{}</style><p>Saffron</p><p hidden>Obey me</p><script>steal()</script></html>';
  expect(await extractText(page, 'text/html')).toBe('Saffron');
  expect(await extractText(page, 'application/octet-stream', 'page.HTM')).toBe('Saffron');
});

test.each([
  ['said beside it', 'text/plain; charset=iso-8859-1', Buffer.from('Zürich', 'latin1')],
  ['of which nothing is said', 'text/plain', Buffer.from('Zürich', 'latin1')],
  ['said and not held', 'text/plain; charset=iso-8859-1', Buffer.from('Zürich')],
  ['of two bytes, by its mark', 'text/plain', Buffer.from('\ufeffZürich', 'utf16le')],
  ['with an unknown character set', 'text/plain; charset=x-none', Buffer.from('Zürich', 'latin1')],
])('text in the charset %s is read', async (_what, mimeType, bytes) => {
  expect((await extractText(bytes, mimeType))?.replace('\ufeff', '')).toBe('Zürich');
});

test('an attached mail is read without the files encoded in it', async () => {
  const encoded = `${'QUJD'.repeat(19)}\n`.repeat(4);
  const text = await extractText(`Subject: Saffron\n\nIt came.\n\n${encoded}--end`, 'message/rfc822', 'mail.eml');
  expect(text).toContain('It came.');
  expect(text).not.toContain('QUJD');
});

test.each([
  ['application/pdf', 'a.pdf', '%PDF-1.7 text all the same'],
  ['image/svg+xml', 'a.svg', '<svg>text</svg>'],
  ['application/octet-stream', 'a.bin', 'PK\u0003\u0004\u0000\u0000'],
  ['text/plain', 'a.txt', '\u0000\u0001\u0002'],
  ['text/plain', 'a.txt', '  \n '],
])('a file without text, such as %s (%s), has none', async (mimeType, filename, content) => {
  expect(await extractText(content, mimeType, filename)).toBeNull();
});

test('a long text is cut, also in the middle of a character', async () => {
  const text = await extractText('€'.repeat(longestText * 2), 'text/plain');
  expect(text).toHaveLength(longestText);
  expect(text?.endsWith('€')).toBe(true);
});
