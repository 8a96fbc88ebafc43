import { expect, test } from 'vitest';
import { rehearse } from './rehearse.ts';

test('a rehearsal completes, and ends at once when real work arrives', async () => {
  await rehearse(() => true);
  let asked = 0;
  await rehearse(() => (asked += 1) === 1);
  expect(asked).toBe(3);
});
