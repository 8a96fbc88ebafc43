import { createAnalyser } from '#platform/search';

const mostTopics = 8;
/** What a text is about is told by its beginning; reading more would hold up other calls. */
const readCharacters = 8_000;
const analyse = rememberingTheLast(createAnalyser());

/** Storing a memory asks for its topics, its likes and its place in a row, each by the same words. */
function rememberingTheLast(analyser: ReturnType<typeof createAnalyser>): typeof analyser {
  let last: { text: string; tokens: ReturnType<typeof analyser> } | null = null;
  return (text) =>
    (last?.text === text ? last : (last = { text, tokens: analyser(text.slice(0, readCharacters)) })).tokens;
}

/**
 * The words a text is about: those it repeats, then names and identifiers, then the order they stand in. Spelled as
 * in the text; one spelling for each stem.
 */
export function topicsOf(text: string): string[] {
  const topics = new Map<string, { word: string; count: number; isName: boolean; position: number }>();
  for (const [position, token] of analyse(text).entries()) {
    const stem = token.stems.join(' ') || token.wholes[0] || '';
    if (token.word.length < 3 || /^\d+$/.test(token.word)) continue;
    const known = topics.get(stem);
    if (known) known.count += 1;
    else topics.set(stem, { word: token.word, count: 1, isName: isName(token.word, position), position });
  }
  return [...topics.values()]
    .toSorted((a, b) => b.count - a.count || Number(b.isName) - Number(a.isName) || a.position - b.position)
    .slice(0, mostTopics)
    .map((topic) => topic.word);
}

/** Stems of a text, each once. */
export function stemsOf(text: string): Set<string> {
  return new Set(analyse(text).flatMap((token) => [...token.stems, ...token.wholes]));
}

function isName(word: string, position: number): boolean {
  return /[_./-]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(word) || (position > 0 && /^\p{Lu}/u.test(word));
}
