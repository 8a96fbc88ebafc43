import { createAnalyser } from '../../src/platform/search/tokens.ts';

const saturation = 1.2;
const lengthNormalisation = 0.75;

/** The yardstick: BM25 over each text's own Snowball stems without stop words. Answers places, best first. */
export function createPlainBm25(texts: readonly string[]): (query: string, limit: number) => number[] {
  const analyse = createAnalyser('en');
  const listStems = (text: string) => analyse(text).flatMap((token) => token.stems);
  const documents = texts.map((text) => {
    const stems = listStems(text);
    return { length: stems.length, counts: Map.groupBy(stems, (stem) => stem) };
  });
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { counts } of documents)
    for (const stem of counts.keys()) frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);

  return (query, limit) => {
    const asked = new Set(listStems(query));
    const scored = documents.map(({ counts, length }, place) => {
      let score = 0;
      for (const stem of asked) {
        const count = counts.get(stem)?.length ?? 0;
        const frequency = frequencies.get(stem) ?? 0;
        const rarity = Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
        const norm = saturation * (1 - lengthNormalisation + (lengthNormalisation * length) / mean);
        score += (rarity * count * (saturation + 1)) / (count + norm);
      }
      return { place, score };
    });
    const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score || a.place - b.place);
    return found.slice(0, limit).map(({ place }) => place);
  };
}
