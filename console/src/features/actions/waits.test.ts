import { expect, test } from 'vitest';
import { listWaits } from './waits.ts';

const hour = 3_600_000;
const now = Date.parse('2027-03-01T12:00:00Z');
const formatTime = (ms: number) => new Date(now + ms).toISOString();
const listLabels = (created: number, expires: number) =>
  listWaits({ created_at: formatTime(created), expires_at: formatTime(expires) }, now).map(({ label }) => label);

test('a draft is offered every wait that is longer than its own', () => {
  expect(listLabels(-hour / 2, hour / 2)).toEqual(['1 hour', '1 day', '3 days', 'As long as possible']);
  expect(listLabels(-hour, 30 * hour)).toEqual(['3 days', 'As long as possible']);
});

test('a draft near seven days is offered only the rest, and at seven days nothing', () => {
  expect(listLabels(-167 * hour, hour / 2)).toEqual(['1 hour']);
  expect(listLabels(-167.5 * hour, hour / 4)).toEqual(['As long as possible']);
  expect(listLabels(-100 * hour, 68 * hour)).toEqual([]);
});
