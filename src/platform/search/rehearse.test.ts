import { expect, test } from 'vitest';
import { rehearseIndexing } from './rehearse.ts';

test('a rehearsal completes, or ends at once when real work arrives', async () => {
  await rehearseIndexing(() => true);
  let asked = 0;
  await rehearseIndexing(() => (asked += 1) === 1);
  expect(asked).toBe(3);
});
