// Finds words of a query that a text has, but cut at another position, such as 都庁 in 東京都|庁. The words beside a cut
// select the texts, and the text itself decides.
import { fold } from './fold.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { getPassage } from './postings.ts';
import { getLanguageCode } from './stems.ts';
import { getStopWords } from './stop-words.ts';
import { hasUnspacedScript } from './tokens.ts';
import type { WordParts } from './word-parts.ts';

/** A text also cuts a longer word at one of its first positions. */
const mostCuts = 8;
/** Words beside a cut that are together in more passages than this say too little. */
const mostPostings = 50_000;
/** The passages that contain the words beside a cut, anywhere. */
const mostReadCharacters = 2_000_000;
const mostFoldedCharacters = 100_000;
/** Korean has spaces between words, so its texts are cut only there. */
const cutScripts =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{2,}$/u;

/** The words of texts before and after a cut in a word. Null: a stop word may be there, which no index has. */
type WordCut = { readonly firsts: readonly string[] | null; readonly seconds: readonly string[] | null };

/** The words beside every possible cut of a word; none for a script that is not cut this way. */
export function listWordCuts(parts: WordParts, word: string, stopWords: readonly string[] = []): WordCut[] {
  if (!cutScripts.test(word)) return [];
  const characters = [...word];
  const cuts: WordCut[] = [];
  for (let at = 1; at < characters.length && at <= mostCuts; at += 1) {
    const [before, after] = [characters.slice(0, at).join(''), characters.slice(at).join('')];
    const endsSo = (each: string) => each.endsWith(before) || before.endsWith(each);
    const beginsSo = (each: string) => each.startsWith(after) || after.startsWith(each);
    const firsts = stopWords.some(endsSo) ? null : parts.withCharacter(characters[at - 1]!).filter(endsSo);
    const seconds = stopWords.some(beginsSo) ? null : parts.withCharacter(characters[at]!).filter(beginsSo);
    const isPossible = firsts?.length !== 0 && seconds?.length !== 0 && (firsts !== null || seconds !== null);
    if (isPossible) cuts.push({ firsts, seconds });
  }
  return cuts;
}

/** The passages with a word that is cut there, without those that have one of its known forms. */
export function findSplitWord(
  index: InvertedIndex,
  parts: WordParts,
  { word, forms }: { readonly word: string; readonly forms: readonly string[] },
): number[] {
  const cuts = listWordCuts(parts, word, listUnspacedStopWords(getLanguageCode(index.language)));
  if (cuts.length === 0) return [];
  const found = new Set<number>();
  const reader = createReader(word);
  /** By passage: the number of the cut whose first words it has; higher than all numbers where a form is known. */
  const marks = new Uint8Array(index.passages.owners.length);
  for (const posting of listTermPostings(index, forms)) marks[getPassage(posting)] = mostCuts + 1;
  for (const [at, { firsts, seconds }] of cuts.entries()) {
    const number = at + 1;
    const [first, second] = [listTermPostings(index, firsts ?? []), listTermPostings(index, seconds ?? [])];
    if (first.length + second.length > mostPostings) continue;
    for (const posting of first) if (marks[getPassage(posting)]! < number) marks[getPassage(posting)] = number;
    for (const posting of seconds ? second : first) {
      const passage = getPassage(posting);
      const isAdjacent = firsts && seconds ? marks[passage] === number : marks[passage]! <= mostCuts;
      if (isAdjacent && reader.has(index.passages.owners[passage]!)) found.add(passage);
    }
  }
  return [...found];
}

const knownStopWords = new Map<string, readonly string[]>();

/** The stop words of a language in scripts without spaces. */
function listUnspacedStopWords(language: string): readonly string[] {
  const known = knownStopWords.get(language) ?? [...getStopWords(language)].filter(hasUnspacedScript);
  knownStopWords.set(language, known);
  return known;
}

function listTermPostings({ words }: InvertedIndex, terms: readonly string[]): number[] {
  return terms.flatMap((term) => words.get(term) ?? []);
}

/** Reads each text once, up to a number of characters of all texts together. */
function createReader(word: string) {
  const known = new Map<IndexedDocument, boolean>();
  let [read, folded] = [0, 0];

  function hasWord({ row: { title, labels, body } }: IndexedDocument): boolean {
    const text = `${title ?? ''}\n${labels}\n${body}`;
    read += text.length;
    if (text.includes(word)) return true;
    folded += text.length;
    return folded <= mostFoldedCharacters && fold(text).includes(word);
  }

  return {
    has(document: IndexedDocument): boolean {
      const before = known.get(document);
      if (before !== undefined) return before;
      const has = read < mostReadCharacters && hasWord(document);
      known.set(document, has);
      return has;
    },
  };
}
