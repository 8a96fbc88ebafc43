import { expect, test } from 'vitest';
import type { Level } from './descriptor.ts';
import { itemsOf } from './levels.ts';
import type { Ask } from './list.ts';

/** Boxes in boxes, `perBox` in each. */
const boxes: Level = {
  listing: { call: { method: 'GET', path: '/boxes' }, items: '', paging: { by: 'none' } },
  as: 'box',
  id: 'id',
  below: {
    when: { at: 'isFull' },
    listing: { call: { method: 'GET', path: '/boxes/{{box.id}}' }, items: '', paging: { by: 'none' } },
    deepest: 3,
  },
};

function stack(perBox: number, deepest: number): Ask {
  return async (_call, { box }) => {
    const id = box ? (box as { id: string }).id : '';
    const isFull = id.length + 1 < deepest;
    const data = Array.from({ length: perBox }, (_, place) => ({ id: `${id}${place}`, isFull }));
    return { data, nextUrl: null, version: null, isUnchanged: false };
  };
}

const idsIn = (items: readonly unknown[]) => items.map((item) => (item as { id: string }).id);

test('a page has all its levels, the top level first', async () => {
  const { items, isWhole } = await itemsOf(stack(2, 3), boxes, {});
  expect(isWhole).toBe(true);
  expect(idsIn(items).slice(0, 4)).toEqual(['0', '1', '00', '01']);
  expect(items).toHaveLength(2 + 4 + 8);
});

test.each([
  ['deeper than is read', 1, 9, 4],
  ['more than are read', 40, 3, 40 + 1_600],
])('a page with %s has a note, and keeps what was read', async (_what, perBox, deepest, count) => {
  const { items, isWhole } = await itemsOf(stack(perBox, deepest), boxes, {});
  expect(isWhole).toBe(false);
  expect(items).toHaveLength(count);
});
