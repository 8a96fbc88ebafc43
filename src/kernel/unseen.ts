// Characters that a reader cannot see, or that reorder others: one list for every text that people judge.

/** Blank letters and signs that Unicode does not call ignorable: braille, a note, hieroglyphs, a filler, an object. */
const blanks = String.raw`\u2800\uFFFC\u{1D159}\u{13441}\u{13442}\u{16FE4}`;
/**
 * Control and format characters, separators, halves of characters, and characters that Unicode allows programs to draw
 * as nothing.
 */
const unseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}${blanks}]`;

/** Scripts in which joiners change how a word is written. */
const joined = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const picture = String.raw`\p{Extended_Pictographic}`;
/** The three flags that are written with tag characters: England, Scotland and Wales. */
const tagFlags = ['eng', 'sct', 'wls']
  .map((region) => [...`gb${region}`].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''))
  .map((tags) => `\u{1F3F4}${tags}\u{E007F}`)
  .join('|');
/**
 * Where such a character is part of what is drawn: emoji, Persian and Indic words, variants of Mongolian and Chinese
 * letters.
 */
const drawn = [
  tagFlags,
  String.raw`(?<=${picture})[\uFE0E\uFE0F]`,
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=[${picture}\p{Emoji_Modifier}\uFE0F])\u200D(?=${picture})`,
  String.raw`(?<=[${joined}])[\u200C\u200D]`,
  String.raw`(?<=\p{Script=Mong})[\u180B-\u180D\u180F]`,
  String.raw`(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
].join('|');
const sought = new RegExp(`(${drawn})|${unseen}`, 'gu');

/** The text with a replacement for each invisible character. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  return text.replaceAll(sought, (character, isDrawn: string | undefined) =>
    isDrawn === undefined ? replace(character) : character,
  );
}

/** Whether a text has an invisible character, other than line ends and tabs. */
export function hasUnseen(text: string): boolean {
  for (const [character, isDrawn] of text.matchAll(sought)) {
    if (isDrawn === undefined && !isLayout(character)) return true;
  }
  return false;
}

/** Line ends and tabs are visible by their effect. */
export function isLayout(character: string): boolean {
  return character === '\n' || character === '\t';
}
