import { expect, test } from './fixture.ts';

test('five hundred memories are laid out while the page stays responsive', async ({ console: page, thalamus }) => {
  const { call, ownerKey } = thalamus;
  const { brain_id } = await call(ownerKey, 'create_brain', { name: 'Archive hall' });
  const memories = Array.from({ length: 520 }, (_, at) => ({
    content: `Shelf ${at % 40} keeps the crate ${at} with instruments of expedition ${at % 25}`,
  }));
  for (let at = 0; at < memories.length; at += 100)
    await call(ownerKey, 'add_memories_bulk', { memories: memories.slice(at, at + 100), target_brain_id: brain_id });
  await page.goto('/memory/graph');
  await page.evaluate(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, each.duration);
    }).observe({ type: 'longtask', buffered: false });
  `);
  await page.getByLabel('Brain').selectOption(String(brain_id));
  await expect(page.getByRole('img', { name: /^500 memories/ })).toBeVisible();
  await expect(page.getByText('The newest 500 memories are shown.')).toBeVisible();
  await page.waitForTimeout(4_000); // the layout takes that long
  expect(await page.evaluate('globalThis.longest'), 'the longest time it did not answer, in ms').toBeLessThan(500);
});
