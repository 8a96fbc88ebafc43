// Finds the topics of a text by its words: repeated words, names, and then its first words.
import { createAnalyser, type Token } from '#platform/search';
import { normalizeText } from '#platform/unicode';

const mostTopics = 8;
/** A longer string is not a word but data, such as a key or an encoded picture. */
const longestTopic = 80;
/** Topics come from the beginning of a text; reading more would delay other calls. */
const readCharacters = 8_000;
const analyse = memoizeLastText(createAnalyser());

/** Words about saying something, not about the subject; they are not topics. */
const uninformativeWords = new Set(
  `decide decided chose chosen choose agree agreed pick picked settle prefer prefers like likes use used uses using need needs
  want wants make makes made take takes took keep keeps say says said tell know think new old good best better thing things way
  people person someone everyone everything something today yesterday tomorrow day days week weeks month months year years time
  times always never also because please note number part lot kind one two three first second third next last many much
  work works working go goes going come comes show shows start started seem seems notice noticed found happen happens
  every each any all both only again still longer whole minute minutes hour hours run runs running average`.split(
    /\s+/,
  ),
);
/** Words that are capitalised because a sentence begins, before a name: «Ask Maria Lopez». */
const openings = new Set(
  `ask use tell call see send meet move add remove check switch invite email try read visit after before today yesterday
  tomorrow monday tuesday wednesday thursday friday saturday sunday while since according dear hi hello thanks`.split(
    /\s+/,
  ),
);

/** Storing a memory needs its topics, its similar memories and its passages, all from the same words. */
function memoizeLastText(analyser: ReturnType<typeof createAnalyser>): typeof analyser {
  let last: { text: string; tokens: ReturnType<typeof analyser> } | null = null;
  return (text) =>
    (last?.text === text ? last : (last = { text, tokens: analyser(text.slice(0, readCharacters)) })).tokens;
}

type Topic = { word: string; count: number; isName: boolean; position: number };

/**
 * The topics of a text: repeated words, then names and identifiers, then in the order of the text. Spelled as in the
 * text; one spelling for each stem; a name of several words is one topic.
 */
export function extractTopics(text: string): string[] {
  const topics = new Map<string, Topic>();
  const words = joinNames(analyse(text), text.slice(0, readCharacters));
  const inNames = new Map<string, Topic>();
  for (const [position, { word, stems }] of words.entries()) {
    const key = stems.join(' ');
    // The last word of a name stands for the whole name after that has appeared.
    const known = topics.get(key) ?? inNames.get(key);
    if (known) known.count += 1;
    else if (isTellingWord(word)) {
      const topic = { word, count: 1, isName: isName(word, position), position };
      topics.set(key, topic);
      if (word.includes(' ')) for (const stem of stems) inNames.set(stem, topic);
    }
  }
  return [...topics.values()]
    .toSorted((a, b) => b.count - a.count || Number(b.isName) - Number(a.isName) || a.position - b.position)
    .slice(0, mostTopics)
    .map((topic) => topic.word);
}

/** Stems of a text, each once. */
export function listStems(text: string): Set<string> {
  return new Set(analyse(text).flatMap((token) => [...token.stems, ...token.wholes]));
}

/** The words of a text that carry a meaning, in their spelling and order. */
export function listMeaningfulWords(text: string): string[] {
  return analyse(text).map((token) => token.word);
}

type Word = { word: string; stems: readonly string[] };

const capitalised = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’-]*`;
const severalWords = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${capitalised}(?: ${capitalised}){1,3}(?![\p{L}\p{N}])`,
  'gu',
);

/** The words of a text with the words of each name put together: `Thompson`, `Sampling` become `Thompson Sampling`. */
function joinNames(tokens: readonly Token[], text: string): Word[] {
  const names = findNames(text);
  const words: Word[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const name = names.get(token.word)?.find((parts) => parts.every((part, next) => tokens[at + next]?.word === part));
    if (!name) {
      words.push({ word: token.word, stems: token.stems.length ? token.stems : token.wholes });
      continue;
    }
    words.push({ word: name.join(' '), stems: tokens.slice(at, at + name.length).flatMap(({ stems }) => stems) });
    at += name.length - 1;
  }
  return words;
}

/** Names of several words by their first, the longest first. */
function findNames(text: string): Map<string, string[][]> {
  const names = new Map<string, string[][]>();
  for (const [found] of withoutAccents(text).matchAll(severalWords)) {
    const parts = found.replaceAll(/['’]s?(?= |$)/g, '').split(' ');
    while (parts.length && (openings.has(parts[0]!.toLowerCase()) || isStopWord(parts[0]!))) parts.shift();
    if (parts.length < 2) continue;
    const [first = ''] = parts;
    names.set(
      first,
      [...(names.get(first) ?? []), parts].toSorted((a, b) => b.length - a.length),
    );
  }
  return names;
}

/** In the spelling of the tokens. */
function withoutAccents(text: string): string {
  return normalizeText(text, 'NFKD').replaceAll(/\p{M}/gu, '');
}

const analyseWord = createAnalyser();

function isStopWord(word: string): boolean {
  return analyseWord(word).length === 0;
}

function isTellingWord(word: string): boolean {
  const lower = word.toLowerCase();
  if (word.length < 3 || word.length > longestTopic || /^[\d.,:/%-]+$/.test(word)) return false;
  return ![lower, lower.replace(/s$/, '')].some((form) => uninformativeWords.has(form) || openings.has(form));
}

function isName(word: string, position: number): boolean {
  return /[_./-]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$| /u.test(word) || (position > 0 && /^\p{Lu}/u.test(word));
}
