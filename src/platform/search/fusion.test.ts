import { assert, integer, property, shuffledSubarray } from 'fast-check';
import { expect, test } from 'vitest';
import { fuse, leastByWords, mostByMeaning } from './fusion.ts';

const ids = Array.from({ length: 700 }, (_, at) => `id-${at}`);
const byWords = shuffledSubarray(ids, { maxLength: 700 });
const byMeaning = shuffledSubarray(ids, { maxLength: mostByMeaning });
const listIds = (fused: readonly { id: string }[]) => fused.map(({ id }) => id);

test('the union is complete: it has each item of either order once', () => {
  assert(
    property(byWords, byMeaning, (words, meaning) => {
      const fused = listIds(fuse(words, meaning));
      expect(new Set(fused)).toEqual(new Set([...words, ...meaning]));
      expect(fused).toHaveLength(new Set(fused).size);
    }),
  );
});

test('the first 2n contain the first n by words, for every n', () => {
  assert(
    property(byWords, byMeaning, (words, meaning) => {
      const places = new Map(listIds(fuse(words, meaning)).map((id, at) => [id, at + 1]));
      words.forEach((id, at) => expect(places.get(id)).toBeLessThanOrEqual(2 * (at + 1)));
    }),
  );
});

test('pages of any size up to 100, each fused from only what it needs, join without gap or repetition', () => {
  assert(
    property(byWords, byMeaning, integer({ min: 1, max: 100 }), (words, meaning, limit) => {
      const paged: string[] = [];
      const total = new Set([...words, ...meaning]).size;
      for (let offset = 0; offset < total; offset += limit) {
        const known = words.slice(0, Math.max(leastByWords, offset + limit));
        paged.push(...listIds(fuse(known, meaning)).slice(offset, offset + limit));
      }
      expect(new Set(paged).size).toBe(total);
      expect(paged).toHaveLength(total);
    }),
    { numRuns: 60 },
  );
});

test('scores fall, from at most 1', () => {
  assert(
    property(byWords, byMeaning, (words, meaning) => {
      const scores = fuse(words, meaning).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      if (scores[0] !== undefined) expect(scores[0]).toBeLessThanOrEqual(1);
    }),
  );
});

test('a hit of both searches comes before a hit of one', () => {
  expect(listIds(fuse(['a', 'b'], ['b', 'c']))[0]).toBe('b');
});

test('without hits by embeddings the order is that of the words', () => {
  assert(
    property(byWords, (words) => {
      expect(listIds(fuse(words, []))).toEqual(words);
    }),
  );
});
