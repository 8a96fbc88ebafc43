// Turns text into the terms by which it can be found.
import { visitAsciiChunks, visitChunks, isAscii } from './chunks.ts';
import { fold } from './fold.ts';
import { getLanguageCode, getStemmer } from './stems.ts';
import type { StemWord } from './stems.ts';
import { getStopWords } from './stop-words.ts';
import { createWordTable } from './word-table.ts';

/**
 * One word of a text that is worth finding. `stems` count as its length: one for a plain word, one per part of an
 * identifier. `wholes` are the unbroken spellings of an identifier, by which it is also found.
 */
export type Token = { readonly word: string; readonly stems: readonly string[]; readonly wholes: readonly string[] };

/**
 * Tokens of a text in order, without stop words. With `mostTerms`, only those at its beginning that have at most this
 * many stems and unbroken spellings together.
 */
export type AnalyseText = (text: string, mostTerms?: number) => Token[];

const joiners = /[^\p{L}\p{N}\p{M}]+/u;
const outerJoiners = /[/\\@:?=&%]+/u;
const camelBreaks = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * Korean puts spaces between words: a chunk of only Korean is one word, and the segmenter would be slow to find that.
 */
const onlyHangul = /^[\uac00-\ud7a3]+$/;
const mayBeUnspaced = /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\uffff]/;

const longestWhole = 100;
const longestStem = 64;
/** The rest of a longer chunk contains no words that somebody searches for. */
const longestChunk = 4_000;
const mostCachedWords = 100_000;
/** A longer word hardly appears twice, and would only take memory. */
const longestCachedWord = 200;

type Rules = { readonly stem: StemWord; readonly stopWords: ReadonlySet<string>; readonly isEnglish: boolean };

/** Creates the analyser of one language. It caches words, so use one for many texts. */
export function createAnalyser(language = 'en'): AnalyseText {
  const code = getLanguageCode(language);
  const isEnglish = code === 'en';
  const rules: Rules = { stem: getStemmer(code), stopWords: getStopWords(code), isEnglish };
  const segmenter = new Intl.Segmenter(isEnglish ? undefined : code, { granularity: 'word' });
  let known = createWordTable<Token | null>();

  function tokenAt(text: string, start: number, last: number): Token | null {
    const end = Math.min(last, start + longestChunk);
    const memoized = known.find(text, start, end);
    if (memoized !== undefined) return memoized;
    if (known.size >= mostCachedWords) known = createWordTable();
    const word = copyString(text.slice(start, end));
    const token = readWord(word, rules);
    if (word.length <= longestCachedWord) known.add(word, token);
    return token;
  }

  function* listWords(text: string, start: number, end: number): Generator<[number, number]> {
    for (const { index, segment, isWordLike } of segmenter.segment(text.slice(start, end)))
      if (isWordLike) yield [start + index, start + index + segment.length];
  }

  return function analyse(text, mostTerms = Number.POSITIVE_INFINITY) {
    const tokens: Token[] = [];
    let left = mostTerms;
    const isPlain = isAscii(text);
    const folded = isPlain ? text : fold(text);
    const add = (start: number, end: number): boolean => {
      const token = tokenAt(folded, start, end);
      if (!token) return true;
      tokens.push(shortenToken(token, left));
      left -= token.stems.length + token.wholes.length;
      return left > 0;
    };
    if (isPlain || isAscii(folded)) visitAsciiChunks(folded, add);
    else if (!hasUnspacedScript(folded)) visitChunks(folded, add);
    else
      visitChunks(folded, (start, end) => {
        const chunk = folded.slice(start, end);
        if (!hasUnspacedScript(chunk) || onlyHangul.test(chunk)) return add(start, end);
        for (const [from, to] of listWords(folded, start, end)) if (!add(from, to)) return false;
        return true;
      });
    return tokens;
  };
}

/** One token may be a whole text without spaces. */
function shortenToken(token: Token, mostTerms: number): Token {
  const { word, stems, wholes } = token;
  if (stems.length + wholes.length <= mostTerms) return token;
  return { word, stems: stems.slice(0, mostTerms), wholes: wholes.slice(0, Math.max(0, mostTerms - stems.length)) };
}

/** Whether a text has words of a script that does not put spaces between them. */
export function hasUnspacedScript(text: string): boolean {
  return mayBeUnspaced.test(text) && unspacedScripts.test(text);
}

/** A slice keeps the whole original text in memory; this copy does not. */
function copyString(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}

function readWord(word: string, rules: Rules): Token | null {
  const plain = rules.isEnglish ? withoutClitics(word) : word;
  if (plain === '' || rules.stopWords.has(plain.toLowerCase())) return null;
  const spelled = plain.replace(/(?<=\d),(?=\d)/g, '');
  const parts = spelled.split(joiners).filter(Boolean);
  const stems = parts.flatMap((part) => part.split(camelBreaks)).flatMap((part) => findStem(part, rules) ?? []);
  const known = new Set(stems);
  const wholes = listWholes(spelled, parts, rules).filter((whole) => !known.has(whole));
  return stems.length + wholes.length > 0 ? { word: spelled, stems, wholes } : null;
}

/** `n't` only follows an auxiliary, so the word is dropped with it; other endings leave their word. */
function withoutClitics(word: string): string {
  if (/n't$/i.test(word)) return '';
  return word.replace(/'(?:s|ll|re|ve|d|m)$/i, '');
}

function findStem(part: string, rules: Rules): string | null {
  const lower = part.toLowerCase();
  return rules.stopWords.has(lower) ? null : rules.stem(lower).slice(0, longestStem);
}

function listWholes(spelled: string, parts: readonly string[], rules: Rules): string[] {
  const wholes = new Set<string>();
  for (const part of parts)
    if (camelBreaks.test(part)) wholes.add(rules.stem(part.toLowerCase()).slice(0, longestStem));
  if (parts.length > 1 || parts[0] !== spelled) {
    wholes.add(spelled.toLowerCase());
    for (const piece of spelled.split(outerJoiners)) if (joiners.test(piece)) wholes.add(piece.toLowerCase());
  }
  return [...wholes].filter((whole) => whole.length <= longestWhole);
}
