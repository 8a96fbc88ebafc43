import { expect, test } from 'vitest';
import { discordWrites } from './discord-writes.ts';
import type { Ask } from './list.ts';
import { lookedUp } from './look-up.ts';

const [post] = discordWrites;
const [lookup] = post?.lookups ?? [];
const message = (id: string, content = 'Hello') => ({ id, content, author: { id: '7' } });

/** A channel, the newest first, as Discord answers it. */
const channel =
  (...messages: object[]): Ask =>
  () =>
    Promise.resolve({ data: messages, nextUrl: null, version: null, isUnchanged: false });

async function idOf(ask: Ask, values: object = {}, taken: string[] = [], seen: string[][] = []): Promise<unknown> {
  if (!lookup) throw new Error('a message is looked up');
  const all = { me: { id: '7' }, input: { text: 'Hello' }, ...values };
  const found = await lookedUp(ask, { handle: 'likeness' }, lookup, all, { taken, seen });
  return (found as { id: string } | undefined)?.id;
}

test('of several that are alike the oldest is taken, so that the newer is left to whoever began later', async () => {
  const there = channel(message('1000'), message('999', 'Another'), message('998'));
  expect(await idOf(there)).toBe('998');
  expect(await idOf(there, {}, ['998'])).toBe('1000');
  expect(await idOf(there, { known: ['998', '999'] })).toBe('1000');
});

test('of two of one moment that one goes first which another draft saw before it was sent', async () => {
  const tied = channel(message('b'), message('a'));
  expect(await idOf(tied)).toBe('b');
  expect(await idOf(tied, {}, [], [[], ['a']])).toBe('a');
});

test('what is new and not alike is found when nothing else is, so that it is told', async () => {
  expect(await idOf(channel(message('1000', 'Another')))).toBe('1000');
  expect(await idOf(channel(message('1000', 'Another')), { known: ['1000'] })).toBeUndefined();
});
