import { createAnalyser } from '#platform/search';

const analyse = createAnalyser();
const mostTopics = 8;

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
