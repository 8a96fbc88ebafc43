import type { AnalyseText } from '#platform/search';

const longest = 300;
const searched = 100_000;
const mostPlaces = 400;
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._@-]*/gu;

/** The part of a text with most of the search words, on one line; its beginning when it has none. */
export function extractExcerpt(text: string, terms: readonly string[], analyse: AnalyseText): string {
  return cut(text, findBestStart(text, terms, analyse, longest));
}

/** As the excerpt, longer, and with the lines of the text. A text that is no longer is whole. */
export function extractPassage(
  text: string,
  terms: readonly string[],
  analyse: AnalyseText,
  characters: number,
): string {
  if (text.length <= characters) return text;
  const most = characters / 4; // so much of the line before the best place comes with it
  const best = Math.min(findBestStart(text, terms, analyse, characters - most), text.length - characters);
  const line = text.lastIndexOf('\n', best) + 1;
  const from = best - line < most ? line : best;
  return text.slice(from, from + characters).toWellFormed();
}

function findBestStart(text: string, terms: readonly string[], analyse: AnalyseText, length: number): number {
  const places = findStemPlaces(text.slice(0, searched), collectStems(terms.join(' '), analyse), analyse);
  const best = { from: 0, distinct: 0 };
  places.forEach(({ at }, first) => {
    const within = places.slice(first).filter((place) => place.at < at + length - 60);
    const distinct = new Set(within.map((place) => place.stem)).size;
    if (distinct > best.distinct) Object.assign(best, { from: Math.max(0, at - 50), distinct });
  });
  return best.from;
}

function findStemPlaces(
  text: string,
  wanted: ReadonlySet<string>,
  analyse: AnalyseText,
): { at: number; stem: string }[] {
  const places: { at: number; stem: string }[] = [];
  if (!wanted.size) return places;
  for (const match of text.matchAll(word)) {
    const stem = [...collectStems(match[0], analyse)].find((each) => wanted.has(each));
    if (stem !== undefined) places.push({ at: match.index, stem });
    if (places.length === mostPlaces) break;
  }
  return places;
}

function collectStems(text: string, analyse: AnalyseText): Set<string> {
  return new Set(analyse(text).flatMap((token) => token.stems));
}

/** Cuts between words, and marks omissions. */
function cut(text: string, from: number): string {
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from;
  const isWhole = text.length - start <= longest;
  const space = text.lastIndexOf(' ', start + longest);
  const end = isWhole ? text.length : space > start + longest / 2 ? space : start + longest;
  const shown = text.slice(start, end).replaceAll(/\s+/g, ' ').trim();
  return `${start > 0 ? '… ' : ''}${shown}${isWhole ? '' : ' …'}`;
}
