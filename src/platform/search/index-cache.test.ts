import { expect, test } from 'vitest';
import { createIndexCache, type Entry } from './index-cache.ts';
import { createIndex } from './inverted-index.ts';
import { createVectorSet } from './vector-set.ts';

const doNothing = async () => {};

/** An entry of a brain, with the given sizes of its index and vectors in bytes. */
function buildEntry(brainId: string, indexBytes: number, vectorBytes = 0): Entry {
  const index = createIndex();
  index.bytes = indexBytes;
  const set = Object.defineProperty(
    createVectorSet('m/2', () => undefined as never),
    'bytes',
    { value: vectorBytes },
  );
  const vectors = vectorBytes > 0 ? { set, since: { history: '', snapshot: '1:1:' }, catchUp: doNothing } : null;
  return {
    workspaceId: 'w',
    brainId,
    index,
    vectors,
    since: { history: '', snapshot: '1:1:' },
    uses: 0,
    catchUp: doNothing,
  };
}

function listKeptBrains(...entries: Entry[]): string[] {
  const cache = createIndexCache(1_000);
  for (const entry of entries) cache.add(entry);
  cache.makeRoom();
  return cache.ofWorkspace('w').map(({ brainId }) => brainId);
}

test('the least recently used indexes are dropped when all together are too large', () => {
  expect(listKeptBrains(buildEntry('a', 400), buildEntry('b', 400))).toEqual(['a', 'b']);
  expect(listKeptBrains(buildEntry('a', 400), buildEntry('b', 400), buildEntry('c', 400))).toEqual(['b', 'c']);
});

test('vectors count with their index, and are dropped with it', () => {
  expect(listKeptBrains(buildEntry('a', 400), buildEntry('b', 400, 300))).toEqual(['b']);
});

test('an index in use stays', () => {
  expect(
    listKeptBrains({ ...buildEntry('a', 400, 2_000), uses: 1 }, buildEntry('b', 400), buildEntry('c', 400)),
  ).toEqual(['a', 'c']);
});

test('an index larger than the limit stays until another one is used', () => {
  expect(listKeptBrains(buildEntry('a', 2_000))).toEqual(['a']);
  expect(listKeptBrains(buildEntry('a', 2_000), buildEntry('b', 400))).toEqual(['b']);
});
