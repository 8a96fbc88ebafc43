import { array, assert, constantFrom, float, integer, property, record } from 'fast-check';
import { exactSearch } from 'usearch';
import { expect, test } from 'vitest';
import { encodeVector } from './vector-code.ts';
import { createVectorSet } from './vector-set.ts';

const dimensions = 4;
const open = () => createVectorSet(`m/${dimensions}`, exactSearch);
const vector = array(float({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
  .map((numbers) => Float32Array.from(numbers))
  .filter((numbers) => Math.hypot(...numbers) > 0.1);
const acceptAll = () => true;

function computeCosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, each, at) => sum + each * other[at]!, 0) / Math.hypot(...one) / Math.hypot(...other);
}

test('a code has the direction of its vector', () => {
  assert(
    property(vector, vector, (one, other) => {
      const set = open();
      set.put('a', 0, encodeVector(one));
      expect(set.similarity('a', encodeVector(other))).toBeCloseTo(computeCosine(one, other), 1);
    }),
  );
  const long = (seed: number) => Float32Array.from({ length: 1536 }, (_, at) => Math.sin(seed * 1_000 + at * at));
  const set = createVectorSet('m/1536', exactSearch);
  set.put('a', 0, encodeVector(long(1)));
  expect(Math.abs(set.similarity('a', encodeVector(long(2)))! - computeCosine(long(1), long(2)))).toBeLessThan(0.002);
});

const change = record({ id: constantFrom('a', 'b', 'c', 'd', 'e'), part: integer({ min: 0, max: 2 }), vector });

test('after any changes the nearest vectors equal those of a plain comparison', () => {
  assert(
    property(
      array(record({ change, isRemoval: constantFrom(true, false, false) }), { maxLength: 120 }),
      vector,
      (changes, query) => {
        const set = open();
        const there = new Map<string, Float32Array>();
        for (const { change: each, isRemoval } of changes) {
          const name = `${each.id} ${each.part}`;
          if (isRemoval) {
            set.remove(each.id, each.part);
            there.delete(name);
          } else {
            set.put(each.id, each.part, encodeVector(each.vector));
            there.set(name, each.vector);
          }
        }
        const best = new Map<string, number>();
        for (const [name, each] of there) {
          const id = name.split(' ')[0]!;
          best.set(id, Math.max(best.get(id) ?? -1, computeCosine(each, query)));
        }
        expect(set.count).toBe(there.size);
        const near = set.nearest(encodeVector(query), 3, acceptAll);
        const expected = [...best.values()].toSorted((one, other) => other - one).slice(0, 3);
        expect(near).toHaveLength(expected.length);
        near.forEach(({ similarity }, at) => expect(similarity).toBeCloseTo(expected[at]!, 1));
        for (const { id, similarity } of near)
          expect(set.similarity(id, encodeVector(query))).toBeCloseTo(similarity, 4);
      },
    ),
    { numRuns: 60 },
  );
});

test('vectors that the filter excludes are skipped, however many are nearer', () => {
  const set = open();
  for (let at = 0; at < 500; at += 1) set.put(`near-${at}`, 0, Int8Array.of(127, at % 5, 0, 0));
  set.put('far', 0, Int8Array.of(0, 127, 0, 0));
  expect(set.nearest(Int8Array.of(127, 1, 0, 0), 5, (id) => id === 'far').map(({ id }) => id)).toEqual(['far']);
});

test('an empty set and a vector of another length give no hit', () => {
  const set = open();
  set.put('a', 0, Int8Array.of(1, 2, 3));
  expect(set.nearest(Int8Array.of(1, 0, 0, 0), 5, acceptAll)).toEqual([]);
  expect(set.similarity('a', Int8Array.of(1, 0, 0, 0))).toBeNull();
});
