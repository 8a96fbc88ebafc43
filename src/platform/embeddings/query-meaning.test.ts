import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { MeteredEmbedder } from './embedders.ts';
import { createFindMeaning } from './query-meaning.ts';

/** An embedder that answers after a while, or fails, and records its requests. */
function createActingEmbedder(act: () => Promise<void>) {
  const asked: string[] = [];
  const embedder: MeteredEmbedder = {
    model: 'm',
    space: async () => ({ name: 'm/2', dimensions: 2 }),
    async embed(texts) {
      asked.push(...texts);
      await act();
      return texts.map(() => Float32Array.of(1, 0));
    },
  };
  const failures: unknown[] = [];
  let at = 0;
  const meaningFor = createFindMeaning(() => embedder, {
    now: () => new Date(at),
    onFailure: (error) => failures.push(error),
    limitMs: 100,
  });
  const readMeaning = (query: string) => meaningFor(query, {} as Parameters<typeof meaningFor>[1]); // this embedder costs nothing
  return { asked, failures, meaningOf: readMeaning, pass: (ms: number) => (at += ms) };
}

test('the same query is embedded once, also concurrently, and again after ten minutes', async () => {
  const { asked, meaningOf: readMeaning, pass } = createActingEmbedder(() => sleep(10));
  await Promise.all([readMeaning('a boat'), readMeaning('a boat')]);
  expect(await readMeaning('a  boat')).toMatchObject({ meaning: { space: 'm/2' }, notice: null });
  expect(asked).toEqual(['a boat']);
  pass(10 * 60_000);
  await readMeaning('a boat');
  expect(asked).toHaveLength(2);
});

test('operators are not part of a query’s meaning', async () => {
  const { asked, meaningOf: readMeaning } = createActingEmbedder(async () => {});
  await readMeaning('fast "sailing boat" -steam -"motor boat" well-known');
  expect(asked).toEqual(['fast sailing boat well-known']);
  expect(await readMeaning('-steam')).toEqual({ meaning: null, notice: null });
});

test('a slow or failing embedder costs a search no more than the limit, and the answer has a notice', async () => {
  // Far longer than the limit.
  for (const act of [() => sleep(5_000, undefined, { ref: false }), () => Promise.reject(new Error('down'))]) {
    const { meaningOf: readMeaning, failures } = createActingEmbedder(act);
    const begun = Date.now();
    expect(await readMeaning('a boat')).toEqual({ meaning: null, notice: expect.stringContaining('used words only') });
    expect(Date.now() - begun).toBeLessThan(1_000);
    expect(failures).toHaveLength(1);
  }
});

test('an embedder that failed three times gets no request for half a minute', async () => {
  const { asked, meaningOf: readMeaning, pass } = createActingEmbedder(() => Promise.reject(new Error('down')));
  for (const query of ['a', 'b', 'c', 'd', 'e']) await readMeaning(query);
  expect(asked).toEqual(['a', 'b', 'c']);
  pass(30_001);
  await readMeaning('f');
  expect(asked).toHaveLength(4);
});
