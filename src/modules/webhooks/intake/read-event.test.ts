import { expect, test } from 'vitest';
import { ruleOf, type Signing } from '../signatures/schemes.ts';
import { factsOf } from './read-event.ts';

const keyOf = (provider: Signing['provider'], body: object, headers: Record<string, string> = {}) => {
  const signing: Signing = { scheme: provider ? 'provider' : 'hmac_sha256', provider, settings: {} };
  const content = { payload: body, body: Buffer.from(JSON.stringify(body)), headers };
  return factsOf(content, { signing, rule: ruleOf(signing, 'secret') }).delivery_key;
};

test('a delivery comes again with the same id and body, and a signed id is enough', () => {
  const id = { 'x-github-delivery': 'd-1' };
  expect(keyOf('github', { a: 1 }, id)).toBe(keyOf('github', { a: 1 }, id));
  expect(keyOf('github', { a: 1 }, id)).not.toBe(keyOf('github', { a: 2 }, id));
  expect(keyOf('stripe', { id: 'evt_1', a: 1 })).toBe(keyOf('stripe', { id: 'evt_1', a: 2 }));
  expect(keyOf('github', { a: 1 })).toBeNull();
});

test('the time of sending in a body makes no new delivery', () => {
  const id = { 'linear-delivery': 'd-1' };
  const sentAt = (webhookTimestamp: number, more = {}) => keyOf('linear', { a: 1, webhookTimestamp, ...more }, id);
  expect(sentAt(1)).toBe(sentAt(60_001));
  expect(sentAt(1)).not.toBe(sentAt(1, { a: 2 }));
});
