import { expect, test } from 'vitest';
import { rehearse } from './rehearse.ts';

test('a rehearsal goes through, and ends at once when there is something to do', async () => {
  await rehearse(() => true);
  let asked = 0;
  await rehearse(() => (asked += 1) === 1);
  expect(asked).toBe(3);
});
