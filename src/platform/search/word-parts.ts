// The words of an index by the characters in them, for scripts without spaces between words: there, a word of a query
// is often part of a word in a text, such as 게임 of 게임을, or データ of データベース.
import { stripKoreanEnding } from './korean-endings.ts';
import { hasUnspacedScript } from './tokens.ts';

/** It contains words and not their positions, so it grows with the vocabulary and not with the texts. */
export type WordParts = {
  /** Adds a word, once. A word of another script is ignored. */
  add(word: string): void;
  remove(word: string): void;
  withCharacter(character: string): readonly string[];
};

/** The words of texts that a word of a query also stands for. */
export type WordForms = {
  /** The same word with another ending. */
  readonly same: readonly string[];
  /** Words that contain it. */
  readonly longer: readonly string[];
};

/** The parts of the words of a vocabulary. */
export function createWordParts(words: Iterable<string>): WordParts {
  const byCharacter = new Map<string, string[]>();
  const parts: WordParts = {
    add(word) {
      if (!hasUnspacedScript(word)) return;
      for (const character of new Set(word)) {
        const known = byCharacter.get(character);
        if (known) known.push(word);
        else byCharacter.set(character, [word]);
      }
    },
    remove(word) {
      if (!hasUnspacedScript(word)) return;
      for (const character of new Set(word)) {
        const left = (byCharacter.get(character) ?? []).filter((other) => other !== word);
        if (left.length > 0) byCharacter.set(character, left);
        else byCharacter.delete(character);
      }
    },
    withCharacter: (character) => byCharacter.get(character) ?? [],
  };
  for (const word of words) parts.add(word);
  return parts;
}

/** A common character is in thousands of words. */
const mostForms = 200;

/** The other forms of a word of a query; if there are many, the most frequent ones. */
export function findWordForms(parts: WordParts, word: string, getFrequency: (form: string) => number): WordForms {
  const stem = stripKoreanEnding(word);
  const forms = new Set([
    ...listWordsContaining(parts, word),
    ...(stem === word ? [] : listWordsContaining(parts, stem)),
  ]);
  forms.delete(word);
  const frequent = [...forms]
    .map((form) => ({ form, frequency: getFrequency(form) }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((one, other) => other.frequency - one.frequency)
    .slice(0, mostForms)
    .map(({ form }) => form);
  const isSame = (form: string) => form === stem || [word, stem].includes(stripKoreanEnding(form));
  return { same: frequent.filter(isSame), longer: frequent.filter((form) => !isSame(form)) };
}

/**
 * Cuts a word that no text has into the longest parts that begin words of texts, such as 게임개발자 into 게임 and 개발자. Returns
 * these words. Stops before a part that no word has.
 */
export function splitIntoKnownParts(parts: WordParts, word: string): string[] {
  const characters = [...word].slice(0, longestCut);
  const shortest = southEastAsian.test(word) ? 3 : 2;
  const found = new Set<string>();
  for (let at = 0; at < characters.length;) {
    let end = characters.length;
    let words: string[] = [];
    for (; end - at >= shortest && words.length === 0; end -= 1) {
      const piece = characters.slice(at, end).join('');
      words = listWordsContaining(parts, piece).filter((each) => each.startsWith(piece));
    }
    if (words.length === 0) break;
    for (const each of words.slice(0, mostForms)) found.add(each);
    at = end + 1;
  }
  return [...found];
}

/** Every part of a longer word is tried. */
const longestCut = 24;
const southEastAsian = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const oneHan = /^\p{Script=Han}$/u;
const oneHangul = /^\p{Script=Hangul}$/u;
/** One consonant and one sign of these scripts are in too many words; so are single letters of other scripts. */
const shortSyllable = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2}$/u;

/** The words that contain a part. A short part must be their beginning; a single Chinese character may be anywhere. */
function listWordsContaining(parts: WordParts, part: string): string[] {
  const characters = [...part];
  if (characters.length === 1 && !oneHan.test(part) && !oneHangul.test(part)) return [];
  const isBeginning = oneHangul.test(part) || shortSyllable.test(part);
  const lists = characters.map((character) => parts.withCharacter(character));
  const shortest = lists.reduce((one, other) => (other.length < one.length ? other : one));
  return shortest.filter((word) => (isBeginning ? word.startsWith(part) : word.includes(part)));
}
