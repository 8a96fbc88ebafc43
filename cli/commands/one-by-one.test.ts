import { expect, test } from 'vitest';
import { readOneByOne } from './one-by-one.ts';

const buildPage = (ids: readonly string[], cursor: string | null) => {
  const from = cursor === null ? 0 : Number(cursor);
  const drafts = ids.slice(from, from + 100).map((draft_id) => ({ draft_id }));
  return Promise.resolve({ drafts, next_cursor: from + 100 < ids.length ? String(from + 100) : null });
};
const ids = Array.from({ length: 250 }, (_, nth) => `draft-${nth}`);

test('every draft appears once, however many pages there are', async () => {
  const come: string[] = [];
  for await (const { draft_id } of readOneByOne((cursor) => buildPage(ids, cursor))) come.push(draft_id);
  expect(come).toEqual(ids);
});

test('a draft that is decided meanwhile is skipped', async () => {
  const waiting = [...ids];
  const come: string[] = [];
  for await (const { draft_id } of readOneByOne((cursor) => buildPage(waiting, cursor))) {
    come.push(draft_id);
    waiting.splice(waiting.indexOf(draft_id), 1);
    if (draft_id === 'draft-10') waiting.splice(waiting.indexOf('draft-11'), 1);
  }
  expect(come).toEqual(ids.filter((id) => id !== 'draft-11'));
});
