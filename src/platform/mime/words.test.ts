import { expect, test } from 'vitest';
import { readMailWords, type MailPart } from './words.ts';

const buildLeaf = (type: string, text: string, more: Partial<MailPart> = {}): MailPart => ({
  type,
  isFile: false,
  hasContentId: false,
  parts: [],
  readText: () => text,
  ...more,
});
const buildPlainPart = (text: string) => buildLeaf('text/plain', text);
const buildHtmlPart = (text: string) => buildLeaf('text/html', text);
const buildMultipart = (kind: string, ...parts: MailPart[]) => ({ ...buildLeaf(`multipart/${kind}`, ''), parts });
const read = (mail: MailPart) => readMailWords(mail, (source) => source.replaceAll(/<[^>]*>/g, ' ').trim());

const stub = 'To read this message, please view it in HTML.';
const letter = 'The harvest was good this year, and the barn is full to the roof. '.repeat(14);
const offer = 'Dear Ada, we can deliver the quince on Thursday for 312 crowns. ';

test.each<[what: string, mail: MailPart, text: string]>([
  [
    'a stub',
    buildMultipart('alternative', buildPlainPart(stub), buildHtmlPart('<p>We meet in Porto on 9 June.</p>')),
    'We meet in Porto on 9 June.',
  ],
  [
    'a stub in German',
    buildMultipart(
      'alternative',
      buildPlainPart('Ihr Mailprogramm zeigt kein HTML. Online: https://x.example/1'),
      buildHtmlPart('Rechnung 7781 über 312 Kronen'),
    ),
    'Rechnung 7781 über 312 Kronen',
  ],
  [
    'a stub in Japanese',
    buildMultipart(
      'alternative',
      buildPlainPart('このメールはHTML形式です'),
      buildHtmlPart('会議は六月九日に開かれます'),
    ),
    '会議は六月九日に開かれます',
  ],
  ['an empty text', buildMultipart('alternative', buildPlainPart(' \r\n'), buildHtmlPart('Hello')), 'Hello'],
  [
    'a teaser',
    buildMultipart(
      'alternative',
      buildPlainPart('Your invoice is ready.'),
      buildHtmlPart(`Your invoice is ready. ${offer.repeat(3)}`),
    ),
    `Your invoice is ready. ${offer.repeat(3)}`.trim(),
  ],
  [
    'the same in both',
    buildMultipart('alternative', buildPlainPart(offer), buildHtmlPart(`<p>${offer}</p> Unsubscribe`)),
    offer.trim(),
  ],
  [
    'a long text that mentions a browser',
    buildMultipart(
      'alternative',
      buildPlainPart(`You can also view this in your browser. ${letter}`),
      buildHtmlPart('The HTML twin'),
    ),
    `You can also view this in your browser. ${letter}`.trim(),
  ],
  ['HTML without words', buildMultipart('alternative', buildPlainPart(stub), buildHtmlPart('<img>')), stub],
  [
    'a calendar beside',
    buildMultipart(
      'alternative',
      buildPlainPart('Lunch?'),
      buildHtmlPart('Lunch?'),
      buildLeaf('text/calendar', 'BEGIN:VCALENDAR'),
    ),
    'Lunch?',
  ],
  [
    'a footer beside the HTML',
    buildMultipart('mixed', buildHtmlPart('The mail'), buildPlainPart('List footer')),
    'The mail\n\nList footer',
  ],
  [
    'a footer beside alternatives',
    buildMultipart(
      'mixed',
      buildMultipart('alternative', buildPlainPart('Hi'), buildHtmlPart('Hi')),
      buildPlainPart('List footer'),
    ),
    'Hi\n\nList footer',
  ],
  [
    'related in mixed',
    buildMultipart(
      'mixed',
      buildMultipart('related', buildHtmlPart('With a picture'), buildLeaf('text/css', 'p{}', { hasContentId: true })),
      buildPlainPart('Footer'),
    ),
    'With a picture\n\nFooter',
  ],
  [
    'alternatives with related',
    buildMultipart(
      'alternative',
      buildPlainPart(stub),
      buildMultipart('related', buildHtmlPart('The real mail, in pictures'), buildLeaf('image/png', 'x')),
    ),
    'The real mail, in pictures',
  ],
  [
    'both forms sent as two',
    buildMultipart('mixed', buildPlainPart('Hello Ada'), buildHtmlPart('<p>Hello Ada</p>')),
    'Hello Ada',
  ],
  [
    'a file of text',
    buildMultipart('mixed', buildPlainPart('See the file'), buildLeaf('text/plain', 'rows', { isFile: true })),
    'See the file',
  ],
  [
    'a signed mail',
    buildMultipart('signed', buildPlainPart('Signed words'), buildLeaf('application/pgp-signature', 'x')),
    'Signed words',
  ],
])('of a mail with %s the mail itself is read', async (_what, mail, text) => {
  expect(await read(mail)).toBe(text);
});

test('of a mail with very many or very deep parts, the beginning is read', async () => {
  const many = buildMultipart(
    'mixed',
    ...Array.from({ length: 5_000 }, (_, number) => buildPlainPart(`part ${number}`)),
  );
  expect((await read(many)).split('\n\n')).toHaveLength(999);
  let deep = buildPlainPart('words');
  for (let depth = 0; depth < 500; depth += 1) deep = buildMultipart('mixed', deep);
  expect(await read(deep)).toBe('');
});
