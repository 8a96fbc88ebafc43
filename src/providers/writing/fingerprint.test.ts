import { expect, test } from 'vitest';
import type { ProviderApi } from '#providers/http';
import { findOutcomeByFingerprint, type Fingerprint } from './fingerprint.ts';

type Message = { id: string; content: string };
const createMessage = (id: string, content = 'Hello'): Message => ({ id, content });
const api = {} as ProviderApi; // the list below makes no request

/** The outcome of “Hello” in a channel with these messages, newest first, as Discord returns them. */
function findOutcome(there: readonly Message[], known: string[] = [], taken: string[] = [], seen: string[][] = []) {
  const fingerprint: Fingerprint<unknown, unknown, Message> = {
    async *list() {
      yield* there;
    },
    getId: ({ id }) => id,
    isLike: ({ content }) => content === 'Hello',
    key: () => 'Hello',
    result: ({ id }) => ({ id }),
    idIn: 'id',
  };
  const of = { input: {}, of: {}, known, others: { taken, seen } };
  return findOutcomeByFingerprint(fingerprint as Fingerprint<unknown, unknown, unknown>, api, of);
}
const buildConfirmed = (id: string) => ({ state: 'confirmed', result: { id } });

test('of several matching items the oldest belongs to this draft, and the newer one to the later draft', async () => {
  const there = [createMessage('1000'), createMessage('999', 'Another'), createMessage('998')];
  expect(await findOutcome(there)).toEqual(buildConfirmed('998'));
  expect(await findOutcome(there, [], ['998'])).toEqual(buildConfirmed('1000'));
  expect(await findOutcome(there, ['998', '999'])).toEqual(buildConfirmed('1000'));
});

test('of two items from the same moment, the one that another draft saw before sending counts first', async () => {
  const tied = [createMessage('b'), createMessage('a')];
  expect(await findOutcome(tied)).toEqual(buildConfirmed('b'));
  expect(await findOutcome(tied, [], [], [[], ['a']])).toEqual(buildConfirmed('a'));
});

test('a new item that does not match leaves the outcome unknown, and no new item is a failure', async () => {
  expect(await findOutcome([createMessage('1000', 'Another')])).toMatchObject({ state: 'ambiguous' });
  expect(await findOutcome([createMessage('1000', 'Another')], ['1000'])).toMatchObject({ state: 'failed' });
});
