// Inputs that once held the server up, and variations of them.

const repeatItem = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const repeatLetter = (letter: string, length: number) => letter.repeat(length);
const list = (count: number, text: string) => `[${repeatItem(count, text).join(',')}]`;

export type Attack = readonly [what: string, text: string];

/** Bodies of a call, just below what is accepted. */
export const bodies: readonly Attack[] = [
  ['a long name above many texts with NUL', `{"${repeatLetter('k', 400_000)}":${list(50_000, String.raw`"\u0000"`)}}`],
  ['a name above texts with half characters', `{"${repeatLetter('k', 57_000)}":${list(5_000, String.raw`"\ud83d"`)}}`],
  [
    'many unknown fields',
    `{${repeatItem(80_000, 0)
      .map((_, at) => `"f${at}":1`)
      .join(',')}}`,
  ],
  [
    'long unknown fields',
    `{${repeatItem(100, 0)
      .map((_, at) => `"${at}${repeatLetter('f', 9_000)}":1`)
      .join(',')}}`,
  ],
  ['many items of the wrong type', `{"content":"x","triggers":${list(300_000, '1')}}`],
  ['many empty items', `{"content":"x","triggers":${list(290_000, '{}')}}`],
  ['many lists in each other', `{"content":${repeatLetter('[', 450_000)}${repeatLetter(']', 450_000)}}`],
  ['many objects in each other', `{"content":${'{"a":'.repeat(140_000)}1${repeatLetter('}', 140_000)}}`],
  ['a list as text', `{"content":"x","triggers":${JSON.stringify(list(200_000, '7'))}}`],
  ['lists as texts in each other', `{"content":"x","triggers":${JSON.stringify(JSON.stringify(list(90_000, '{}')))}}`],
  ['many topics of the wrong type', `{"content":"x","topics":${list(110_000, '{"a":1}')}}`],
  [
    'long names in each other',
    `{"${repeatLetter('a', 300_000)}":{"${repeatLetter('b', 300_000)}":${list(30_000, String.raw`"\u0000"`)}}}`,
  ],
  ['a text of NULs', `{"content":"${String.raw`\u0000`.repeat(150_000)}"}`],
  ['one long number', `{"content":${repeatLetter('9', 900_000)}}`],
  ['many names of every object', `{${repeatItem(30_000, '"__proto__":{"a":1}').join(',')}}`],
];

/** Queries of a search, at most 2,000 letters. */
export const queries: readonly Attack[] = [
  ['one word of 2,000 letters', repeatLetter('x', 2_000)],
  ['one word of syllables', repeatLetter('na', 1_000)],
  ['one word of endings', repeatLetter('ization', 285)],
  ['one word of Cyrillic letters', repeatLetter('щ', 2_000)],
  ['one word of Greek letters', repeatLetter('ω', 2_000)],
  ['three words of 660 letters', `${repeatLetter('q', 660)} ${repeatLetter('w', 660)} ${repeatLetter('z', 660)}`],
  [
    'many words of 30 letters',
    repeatItem(60, repeatLetter('y', 31))
      .map((word, at) => `${word}${at}`)
      .join(' '),
  ],
  [
    'words that nobody has',
    repeatItem(300, 0)
      .map((_, at) => `zq${at.toString(36)}`)
      .join(' '),
  ],
  ['a word of upper and lower case', repeatLetter('aB', 1_000)],
  ['a word of joined parts', repeatLetter('a-', 999)],
  ['a word of dots', repeatLetter('a.', 999)],
  ['a number with commas', repeatLetter('1,', 999)],
  ['quotes', repeatLetter('"', 2_000)],
  ['a long phrase', `"${repeatLetter('the harbour ', 160)}"`],
  ['eight phrases', repeatItem(8, `"${repeatLetter('of the ', 30)}"`).join(' ')],
  ['times', repeatLetter('last march ', 180)],
  ['accents', repeatLetter('e\u0301', 1_000)],
  ['words without spaces', repeatLetter('東京', 1_000)],
];

/** HTML of mails. */
export const htmls: readonly Attack[] = [
  ['open tags in each other', repeatLetter('<b>', 330_000)],
  ['open paragraphs', repeatLetter('<p>', 330_000)],
  ['quotations in each other', repeatLetter('<blockquote>', 80_000)],
  ['lists in each other', repeatLetter('<ul><li>', 120_000)],
  ['tables in each other', repeatLetter('<table><tr><td>', 66_000)],
  [
    'tags of many names',
    repeatItem(100_000, 0)
      .map((_, at) => `<x${at}>`)
      .join(''),
  ],
  ['ends without beginnings', repeatLetter('</b></i>', 120_000)],
  ['attributes without an end', `<a ${repeatLetter('x="y" ', 160_000)}`],
  ['tags without an end', repeatLetter('<p ', 330_000)],
  ['comments without an end', repeatLetter('<!--', 240_000)],
  ['entities', repeatLetter('&#x41;', 160_000)],
  ['blanks', `<p>x${repeatLetter('&nbsp;', 160_000)}y`],
  ['scripts without an end', repeatLetter('<script>', 120_000)],
  ['styles that hide', repeatLetter('<p style="display:none">', 40_000)],
  ['links that track', `<p>${repeatLetter('[http://', 120_000)}`],
  ['breaks', repeatLetter('<br>', 240_000)],
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
