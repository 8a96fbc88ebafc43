import { expect, test } from 'vitest';
import { ProviderError } from '#providers/http';
import { listNested } from './list-nested.ts';

type Leaf = { id: string; isFolded?: boolean; kind?: string };

/** Leaves by their parent. A request below anything else is answered with not found. */
async function listIds(folds: Record<string, Leaf[]>): Promise<string[]> {
  const leaves = await listNested(folds[''] ?? [], {
    hasBelow: (leaf) => Boolean((leaf as Leaf).isFolded) && (leaf as Leaf).kind !== 'tree',
    async listBelow(leaf) {
      const below = folds[(leaf as Leaf).id];
      if (below) return below;
      const says = { resolution: 'Look elsewhere.', retryable: false, builderCanRepair: true };
      const diagnostics = { ...says, errorCategory: 'not_found' } as const;
      throw new ProviderError('There is no such leaf.', { diagnostics, delivery: 'not_sent', status: 404 });
    },
    most: 20,
    deepest: 2,
  });
  return leaves.map((leaf) => (leaf as Leaf).id);
}

test('each item is followed by its children, except those that are items themselves', async () => {
  const folds = {
    '': [{ id: 'a', isFolded: true }, { id: 'b', isFolded: true, kind: 'tree' }, { id: 'c' }],
    a: [{ id: 'aa', isFolded: true }, { id: 'ab' }],
    aa: [{ id: 'aaa' }],
    b: [{ id: 'ba' }],
  };
  expect(await listIds(folds)).toEqual(['a', 'aa', 'aaa', 'ab', 'b', 'c']);
});

test('levels beyond the deepest, and items beyond the limit, are omitted', async () => {
  const folds = {
    '': [{ id: 'a', isFolded: true }],
    a: [{ id: 'b', isFolded: true }],
    b: [{ id: 'c', isFolded: true }],
  };
  expect(await listIds({ ...folds, c: [{ id: 'd' }] })).toEqual(['a', 'b', 'c']);
  const many = Array.from({ length: 30 }, (_, place) => ({ id: `n${place}` }));
  expect(await listIds({ ...folds, b: many })).toHaveLength(20);
});

test('an error below one item does not affect the others', async () => {
  expect(await listIds({ '': [{ id: 'a', isFolded: true }, { id: 'b' }] })).toEqual(['a', 'b']);
});
