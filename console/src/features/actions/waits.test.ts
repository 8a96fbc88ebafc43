import { expect, test } from 'vitest';
import { waitsFor } from './waits.ts';

const hour = 3_600_000;
const now = Date.parse('2027-03-01T12:00:00Z');
const at = (ms: number) => new Date(now + ms).toISOString();
const labels = (created: number, expires: number) =>
  waitsFor({ created_at: at(created), expires_at: at(expires) }, now).map(({ label }) => label);

test('a draft is offered every wait that is longer than its own', () => {
  expect(labels(-hour / 2, hour / 2)).toEqual(['1 hour', '1 day', '3 days', 'As long as possible']);
  expect(labels(-hour, 30 * hour)).toEqual(['3 days', 'As long as possible']);
});

test('a draft near seven days is offered the rest alone, and at seven days nothing', () => {
  expect(labels(-167 * hour, hour / 2)).toEqual(['1 hour']);
  expect(labels(-167.5 * hour, hour / 4)).toEqual(['As long as possible']);
  expect(labels(-100 * hour, 68 * hour)).toEqual([]);
});
