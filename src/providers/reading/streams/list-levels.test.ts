import { expect, test } from 'vitest';
import { listLevels } from './list-levels.ts';

type Box = { id: string; isFull: boolean };

/** Boxes inside boxes, `perBox` in each. */
async function listStack(perBox: number, deepest: number) {
  const listBelow = async ({ id }: { id: string }): Promise<Box[]> =>
    Array.from({ length: perBox }, (_, place) => ({ id: `${id}${place}`, isFull: id.length + 1 < deepest }));
  const top = await listBelow({ id: '' });
  return listLevels(top, { hasBelow: ({ isFull }: Box) => isFull, listBelow, deepest: 3 });
}

test('a page has all its levels, the top level first', async () => {
  const { items, isWhole } = await listStack(2, 3);
  expect(isWhole).toBe(true);
  expect(items.map(({ id }) => id).slice(0, 4)).toEqual(['0', '1', '00', '01']);
  expect(items).toHaveLength(2 + 4 + 8);
});

test.each([
  ['deeper than is read', 1, 9, 4],
  ['more than are read', 40, 3, 40 + 1_600],
])('a page with %s has a note, and keeps what was read', async (_what, perBox, deepest, count) => {
  const { items, isWhole } = await listStack(perBox, deepest);
  expect(isWhole).toBe(false);
  expect(items).toHaveLength(count);
});
