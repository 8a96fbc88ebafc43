import { expect, test } from 'vitest';
import { readMailWords, type MailPart } from './words.ts';

const leaf = (type: string, text: string, more: Partial<MailPart> = {}): MailPart => ({
  type,
  isFile: false,
  hasContentId: false,
  parts: [],
  readText: () => text,
  ...more,
});
const plain = (text: string) => leaf('text/plain', text);
const html = (text: string) => leaf('text/html', text);
const multipart = (kind: string, ...parts: MailPart[]) => ({ ...leaf(`multipart/${kind}`, ''), parts });
const read = (mail: MailPart) => readMailWords(mail, (source) => source.replaceAll(/<[^>]*>/g, ' ').trim());

const stub = 'To read this message, please view it in HTML.';
const letter = 'The harvest was good this year, and the barn is full to the roof. '.repeat(14);
const offer = 'Dear Ada, we can deliver the quince on Thursday for 312 crowns. ';

test.each<[what: string, mail: MailPart, text: string]>([
  [
    'a stub',
    multipart('alternative', plain(stub), html('<p>We meet in Porto on 9 June.</p>')),
    'We meet in Porto on 9 June.',
  ],
  [
    'a stub in German',
    multipart(
      'alternative',
      plain('Ihr Mailprogramm zeigt kein HTML. Online: https://x.example/1'),
      html('Rechnung 7781 über 312 Kronen'),
    ),
    'Rechnung 7781 über 312 Kronen',
  ],
  [
    'a stub in Japanese',
    multipart('alternative', plain('このメールはHTML形式です'), html('会議は六月九日に開かれます')),
    '会議は六月九日に開かれます',
  ],
  ['an empty text', multipart('alternative', plain(' \r\n'), html('Hello')), 'Hello'],
  [
    'a teaser',
    multipart('alternative', plain('Your invoice is ready.'), html(`Your invoice is ready. ${offer.repeat(3)}`)),
    `Your invoice is ready. ${offer.repeat(3)}`.trim(),
  ],
  ['the same in both', multipart('alternative', plain(offer), html(`<p>${offer}</p> Unsubscribe`)), offer.trim()],
  [
    'a long text that mentions a browser',
    multipart('alternative', plain(`You can also view this in your browser. ${letter}`), html('The HTML twin')),
    `You can also view this in your browser. ${letter}`.trim(),
  ],
  ['HTML without words', multipart('alternative', plain(stub), html('<img>')), stub],
  [
    'a calendar beside',
    multipart('alternative', plain('Lunch?'), html('Lunch?'), leaf('text/calendar', 'BEGIN:VCALENDAR')),
    'Lunch?',
  ],
  ['a footer beside the HTML', multipart('mixed', html('The mail'), plain('List footer')), 'The mail\n\nList footer'],
  [
    'a footer beside alternatives',
    multipart('mixed', multipart('alternative', plain('Hi'), html('Hi')), plain('List footer')),
    'Hi\n\nList footer',
  ],
  [
    'related in mixed',
    multipart(
      'mixed',
      multipart('related', html('With a picture'), leaf('text/css', 'p{}', { hasContentId: true })),
      plain('Footer'),
    ),
    'With a picture\n\nFooter',
  ],
  [
    'alternatives with related',
    multipart(
      'alternative',
      plain(stub),
      multipart('related', html('The real mail, in pictures'), leaf('image/png', 'x')),
    ),
    'The real mail, in pictures',
  ],
  ['both forms sent as two', multipart('mixed', plain('Hello Ada'), html('<p>Hello Ada</p>')), 'Hello Ada'],
  [
    'a file of text',
    multipart('mixed', plain('See the file'), leaf('text/plain', 'rows', { isFile: true })),
    'See the file',
  ],
  ['a signed mail', multipart('signed', plain('Signed words'), leaf('application/pgp-signature', 'x')), 'Signed words'],
])('of a mail with %s the mail itself is read', async (_what, mail, text) => {
  expect(await read(mail)).toBe(text);
});

test('a mail of very many or very deep parts is read by its beginning', async () => {
  const many = multipart('mixed', ...Array.from({ length: 5_000 }, (_, number) => plain(`part ${number}`)));
  expect((await read(many)).split('\n\n')).toHaveLength(999);
  let deep = plain('words');
  for (let depth = 0; depth < 500; depth += 1) deep = multipart('mixed', deep);
  expect(await read(deep)).toBe('');
});
