// The reader of messages, against what another author's writer makes.
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { expect, test } from 'vitest';
import { parseAddresses, listParts, findHeader, parseMime, readInlineText, withHeaders } from './mime.ts';

function composeMessage(options: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> {
  return new MailComposer(options).compile().build();
}

const long = 'Ein sehr langer Satz über Käse, der umbrochen werden muss. '.repeat(8).trim();

test('a mail written by nodemailer is read back unchanged', async () => {
  const raw = await composeMessage({
    from: { name: 'Müller, Zoë', address: 'zoe@example.net' },
    to: 'ada@example.com, "Hopper, Grace" <grace@example.com>',
    subject: `Prüfbericht № 7 — ${long}`,
    text: long,
    html: `<p>${long}</p>`,
    attachments: [
      {
        filename: 'Ein ziemlich langer Dateiname für den Bericht über Käse und andere Dinge.pdf',
        content: Buffer.from([0, 1, 254, 255]),
      },
      { filename: 'logo.png', content: 'png', cid: 'logo', contentType: 'image/png' },
    ],
  });
  const root = parseMime(raw);
  expect(findHeader(root, 'Subject')).toBe(`Prüfbericht № 7 — ${long}`);
  expect(findHeader(root, 'From')).toContain('Müller, Zoë');
  expect(parseAddresses(findHeader(root, 'To'))).toEqual(['ada@example.com', 'grace@example.com']);
  expect(readInlineText(root, 'text/plain').trim()).toBe(long);
  expect(readInlineText(root, 'text/html').trim()).toBe(`<p>${long}</p>`);
  const files = listParts(root).filter((part) => part.filename !== '');
  expect(files.map((part) => part.filename).sort()).toEqual([
    'Ein ziemlich langer Dateiname für den Bericht über Käse und andere Dinge.pdf',
    'logo.png',
  ]);
  expect([...(files.find((part) => part.mimeType === 'application/pdf')?.content ?? [])]).toEqual([0, 1, 254, 255]);
});

test.each(['base64', 'quoted-printable'] as const)(
  'text encoded as %s in another charset is read',
  async (encoding) => {
    const raw = await composeMessage({
      from: 'a@b.example',
      to: 'c@d.example',
      subject: 's',
      text: 'Łódź = 100 %',
      textEncoding: encoding,
    });
    expect(readInlineText(parseMime(raw), 'text/plain').trim()).toBe('Łódź = 100 %');
  },
);

test('a malformed mail becomes text and never throws', () => {
  for (const source of [
    '',
    'no headers at all',
    'Content-Type: multipart/mixed; boundary=x\r\n\r\nno parts',
    ': empty\r\n\r\n=?broken?=',
  ]) {
    expect(parseMime(Buffer.from(source)).parts).toEqual([]);
  }
});

test('replacing a folded header removes all of it and leaves the body unchanged', () => {
  const raw = Buffer.from('Subject: one\r\n two\r\nX-Kept: yes\r\n\r\nSubject: in the body\r\n');
  expect(withHeaders(raw, { Subject: 'new', Bcc: null }).toString()).toBe(
    'Subject: new\r\nX-Kept: yes\r\n\r\nSubject: in the body\r\n',
  );
});
