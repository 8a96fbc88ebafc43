import { expect, test } from 'vitest';
import { ProviderFault } from '#providers/http';
import { detailOf } from './details.ts';
import type { Detail } from './descriptor.ts';
import type { Ask } from './list.ts';

const leaves: Detail = {
  listing: { call: { method: 'GET', path: '/leaves' }, items: '', paging: { by: 'none' } },
  as: 'leaves',
  most: 20,
  below: {
    when: [{ at: 'isFolded' }, { at: 'kind', isNot: ['tree'] }],
    as: 'leaf',
    listing: { call: { method: 'GET', path: '/leaves/{{leaf.id}}' }, items: '', paging: { by: 'none' } },
    deepest: 2,
  },
};

type Leaf = { id: string; isFolded?: boolean; kind?: string };

/** Leaves by what they are folded into; asking for what is below anything else is not found. */
function foldedInto(folds: Record<string, Leaf[]>): Ask {
  return async (_call, { leaf }) => {
    const data = folds[leaf ? (leaf as Leaf).id : ''];
    if (data) return { data, nextUrl: null, version: null, isUnchanged: false };
    const says = { resolution: 'Look elsewhere.', retryable: false, builderCanRepair: true };
    const diagnostics = { ...says, errorCategory: 'not_found' } as const;
    throw new ProviderFault('There is no such leaf.', { diagnostics, delivery: 'not_sent', status: 404 });
  };
}

const idsOf = async (folds: Record<string, Leaf[]>) =>
  (await detailOf(foldedInto(folds), leaves, {})).map((leaf) => (leaf as Leaf).id);

test('each item is followed by its children, except those that are items themselves', async () => {
  const folds = {
    '': [{ id: 'a', isFolded: true }, { id: 'b', isFolded: true, kind: 'tree' }, { id: 'c' }],
    a: [{ id: 'aa', isFolded: true }, { id: 'ab' }],
    aa: [{ id: 'aaa' }],
    b: [{ id: 'ba' }],
  };
  expect(await idsOf(folds)).toEqual(['a', 'aa', 'aaa', 'ab', 'b', 'c']);
});

test('levels beyond the deepest, and items beyond the limit, are omitted', async () => {
  const folds = {
    '': [{ id: 'a', isFolded: true }],
    a: [{ id: 'b', isFolded: true }],
    b: [{ id: 'c', isFolded: true }],
  };
  expect(await idsOf({ ...folds, c: [{ id: 'd' }] })).toEqual(['a', 'b', 'c']);
  const many = Array.from({ length: 30 }, (_, place) => ({ id: `n${place}` }));
  expect(await idsOf({ ...folds, b: many })).toHaveLength(20);
});

test('an error below one item does not cost the others', async () => {
  expect(await idsOf({ '': [{ id: 'a', isFolded: true }, { id: 'b' }] })).toEqual(['a', 'b']);
});
