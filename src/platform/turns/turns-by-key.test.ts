import { expect, test } from 'vitest';
import { createTurnsByKey } from './turns-by-key.ts';

test('a key that comes late waits for only one task of a key with many', async () => {
  const inTurn = createTurnsByKey({ atOnce: 1, waitingEach: 50 });
  const done: string[] = [];
  const work = (name: string) => async () => {
    await Promise.resolve();
    done.push(name);
  };
  const many = Array.from({ length: 20 }, (_, at) => inTurn('attacker', work(`attacker ${at}`)));
  await Promise.all([...many, inTurn('owner', work('owner'))]);
  expect(done.indexOf('owner')).toBeLessThanOrEqual(2);
  expect(done).toHaveLength(21);
});

test('too many tasks of one key are refused with the seconds to wait, and those of another key are not', async () => {
  const inTurn = createTurnsByKey({ atOnce: 2, waitingEach: 3 });
  const slow = () => new Promise<string>((resolve) => void setTimeout(resolve, 5, 'done'));
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => inTurn('attacker', slow)));
  const refused = answers.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } });
  expect(await inTurn('owner', slow)).toBe('done');
});

test('a failed task frees its turn', async () => {
  const inTurn = createTurnsByKey({ atOnce: 1, waitingEach: 1 });
  await expect(inTurn('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await inTurn('one', () => Promise.resolve(1))).toBe(1);
});

test('a key that may not use all slots leaves one for another key', async () => {
  const inTurn = createTurnsByKey({ atOnce: 2, atOnceEach: 1, waitingEach: 10 });
  const idle = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work = (key: string, name: string, until: Promise<void>) =>
    inTurn(key, async () => {
      begun.push(name);
      await until;
    });
  const [first, second] = [work('ada', 'first', idle.promise), work('ada', 'second', idle.promise)];
  await work('grace', 'hers', Promise.resolve());
  expect(begun).toEqual(['first', 'hers']);
  idle.resolve();
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'hers', 'second']);
});
