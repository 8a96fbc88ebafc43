import { expect, test } from 'vitest';
import { getSignatureRule, type SignatureChoice } from '../signatures/schemes.ts';
import { readEventFacts } from './read-event.ts';

const readDeliveryKey = (provider: SignatureChoice['provider'], body: object, headers: Record<string, string> = {}) => {
  const signing: SignatureChoice = { scheme: provider ? 'provider' : 'hmac_sha256', provider, settings: {} };
  const content = { payload: body, body: Buffer.from(JSON.stringify(body)), headers };
  return readEventFacts(content, { signing, rule: getSignatureRule(signing, 'secret') }).delivery_key;
};

test('a repeated delivery has the same id and body, and a signed id is enough', () => {
  const id = { 'x-github-delivery': 'd-1' };
  expect(readDeliveryKey('github', { a: 1 }, id)).toBe(readDeliveryKey('github', { a: 1 }, id));
  expect(readDeliveryKey('github', { a: 1 }, id)).not.toBe(readDeliveryKey('github', { a: 2 }, id));
  expect(readDeliveryKey('stripe', { id: 'evt_1', a: 1 })).toBe(readDeliveryKey('stripe', { id: 'evt_1', a: 2 }));
  expect(readDeliveryKey('github', { a: 1 })).toBeNull();
});

test('a sending time in the body does not make a new delivery', () => {
  const id = { 'linear-delivery': 'd-1' };
  const sentAt = (webhookTimestamp: number, more = {}) =>
    readDeliveryKey('linear', { a: 1, webhookTimestamp, ...more }, id);
  expect(sentAt(1)).toBe(sentAt(60_001));
  expect(sentAt(1)).not.toBe(sentAt(1, { a: 2 }));
});
