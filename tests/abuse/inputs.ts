// Inputs that once held the server up, and variations of them.

const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const long = (letter: string, length: number) => letter.repeat(length);
const list = (count: number, text: string) => `[${many(count, text).join(',')}]`;

export type Attack = readonly [what: string, text: string];

/** Bodies of a call, just below what is accepted. */
export const bodies: readonly Attack[] = [
  ['a long name above many texts with NUL', `{"${long('k', 400_000)}":${list(50_000, String.raw`"\u0000"`)}}`],
  ['a name above texts with half characters', `{"${long('k', 57_000)}":${list(5_000, String.raw`"\ud83d"`)}}`],
  [
    'many unknown fields',
    `{${many(80_000, 0)
      .map((_, at) => `"f${at}":1`)
      .join(',')}}`,
  ],
  [
    'long unknown fields',
    `{${many(100, 0)
      .map((_, at) => `"${at}${long('f', 9_000)}":1`)
      .join(',')}}`,
  ],
  ['many items of the wrong type', `{"content":"x","triggers":${list(300_000, '1')}}`],
  ['many empty items', `{"content":"x","triggers":${list(290_000, '{}')}}`],
  ['many lists in each other', `{"content":${long('[', 450_000)}${long(']', 450_000)}}`],
  ['many objects in each other', `{"content":${'{"a":'.repeat(140_000)}1${long('}', 140_000)}}`],
  ['a list as text', `{"content":"x","triggers":${JSON.stringify(list(200_000, '7'))}}`],
  ['lists as texts in each other', `{"content":"x","triggers":${JSON.stringify(JSON.stringify(list(90_000, '{}')))}}`],
  ['many topics of the wrong type', `{"content":"x","topics":${list(110_000, '{"a":1}')}}`],
  [
    'long names in each other',
    `{"${long('a', 300_000)}":{"${long('b', 300_000)}":${list(30_000, String.raw`"\u0000"`)}}}`,
  ],
  ['a text of NULs', `{"content":"${String.raw`\u0000`.repeat(150_000)}"}`],
  ['one long number', `{"content":${long('9', 900_000)}}`],
  ['many names of every object', `{${many(30_000, '"__proto__":{"a":1}').join(',')}}`],
];

/** Queries of a search, at most 2,000 letters. */
export const queries: readonly Attack[] = [
  ['one word of 2,000 letters', long('x', 2_000)],
  ['one word of syllables', long('na', 1_000)],
  ['one word of endings', long('ization', 285)],
  ['one word of Cyrillic letters', long('щ', 2_000)],
  ['one word of Greek letters', long('ω', 2_000)],
  ['three words of 660 letters', `${long('q', 660)} ${long('w', 660)} ${long('z', 660)}`],
  [
    'many words of 30 letters',
    many(60, long('y', 31))
      .map((word, at) => `${word}${at}`)
      .join(' '),
  ],
  [
    'words that nobody has',
    many(300, 0)
      .map((_, at) => `zq${at.toString(36)}`)
      .join(' '),
  ],
  ['a word of capitals and small letters', long('aB', 1_000)],
  ['a word of joined parts', long('a-', 999)],
  ['a word of dots', long('a.', 999)],
  ['a number with commas', long('1,', 999)],
  ['quotes', long('"', 2_000)],
  ['a long phrase', `"${long('the harbour ', 160)}"`],
  ['eight phrases', many(8, `"${long('of the ', 30)}"`).join(' ')],
  ['times', long('last march ', 180)],
  ['accents', long('e\u0301', 1_000)],
  ['words without spaces', long('東京', 1_000)],
];

/** HTML of mails. */
export const htmls: readonly Attack[] = [
  ['open tags in each other', long('<b>', 330_000)],
  ['open paragraphs', long('<p>', 330_000)],
  ['quotations in each other', long('<blockquote>', 80_000)],
  ['lists in each other', long('<ul><li>', 120_000)],
  ['tables in each other', long('<table><tr><td>', 66_000)],
  [
    'tags of many names',
    many(100_000, 0)
      .map((_, at) => `<x${at}>`)
      .join(''),
  ],
  ['ends without beginnings', long('</b></i>', 120_000)],
  ['attributes without an end', `<a ${long('x="y" ', 160_000)}`],
  ['tags without an end', long('<p ', 330_000)],
  ['comments without an end', long('<!--', 240_000)],
  ['entities', long('&#x41;', 160_000)],
  ['blanks', `<p>x${long('&nbsp;', 160_000)}y`],
  ['scripts without an end', long('<script>', 120_000)],
  ['styles that hide', long('<p style="display:none">', 40_000)],
  ['links that track', `<p>${long('[http://', 120_000)}`],
  ['breaks', long('<br>', 240_000)],
];

/** Where everybody may post to, and what to say there. */
export const doors: readonly Attack[] = [
  ['/auth/mail', '{"email":"eve@example.com"}'],
  ['/auth/sign-in', '{"token":"tl_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"}'],
  ['/auth/providers/google', '{}'],
  ['/auth/sign-out', '{}'],
  ['/auth/providers/none', '{}'],
  ['/set-variable/none', 'value:A=b'],
  ['/oauth-playground', 'a=b'],
  ['/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ['/sse/none', '{}'],
  ['/v1/tools/add_memory', '{"content":"x"}'],
];
