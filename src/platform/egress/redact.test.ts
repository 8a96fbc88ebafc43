import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { EgressError, Failure } from './egress-error.ts';
import { redactSecrets } from './redact.ts';

const secret = 'p&ss/wörd "42"+=';

test.each([
  ['as it is', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in small letters', encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase())],
  ['as a form field', new URLSearchParams({ s: secret }).toString().slice(2)],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['as password of Basic', Buffer.from(`user:${secret}`).toString('base64')],
  ['as password of Basic, other alignment', Buffer.from(`users:${secret}:x`).toString('base64')],
])('a secret %s is removed', (_how, form) => {
  const clean = redactSecrets(`before ${form} after`, [secret]);
  expect(clean).toMatch(/^before .*\[redacted\].* after$/);
  expect(clean).not.toContain(form);
});

test('text that looks like a credential is redacted without being listed', () => {
  expect(redactSecrets('sent Bearer abcdefghijkl0123 to x')).toBe('sent Bearer [redacted] to x');
  expect(redactSecrets('GET /a?access_token=abc&b=c')).toBe('GET /a?access_token=[redacted]&b=c');
  for (const plain of ['a bearer of bad news', 'Basic authentication required', 'the token is not valid']) {
    expect(redactSecrets(plain)).toBe(plain);
  }
});

test('an empty secret redacts nothing, and the longer of two secrets goes first', () => {
  expect(redactSecrets('text', [''])).toBe('text');
  expect(redactSecrets('abcdef', ['abc', 'abcdef'])).toBe('[redacted]');
});

test('of two secrets that overlap neither keeps a part of the other', () => {
  expect(redactSecrets('say: xox-abcdef!', ['xox-abcdef', 'say: xox-'])).toBe('[redacted]!');
  expect(redactSecrets('say: xox-abcdef!', ['xox-abcdef', 'def!'])).toBe('say: [redacted]');
});

test('redacted text never contains the secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 11 }), fc.string(), (before, value, after) => {
      fc.pre(!'[redacted]'.includes(value));
      expect(redactSecrets(`${before}${value}${after}`, [value])).not.toContain(value);
    }),
  );
});

test('an error contains no secret in message, details or causes', async () => {
  const egress = createEgress({
    allow: [],
    resolve: () => Promise.reject(Object.assign(new Error(`no such host ${secret}`), { data: secret })),
  });
  const error = await egress
    .request({ method: 'GET', url: 'https://hush-hush.example/', secrets: [secret, 'hush-hush'] })
    .catch((error: unknown) => error);
  await egress.close();
  expect(error).toBeInstanceOf(EgressError);
  const told: unknown[] = [];
  for (let at = error; at instanceof Error; at = at.cause) told.push(at.message, at.stack, Object.entries(at));
  expect(told.length).toBeGreaterThan(5);
  expect(JSON.stringify(told)).not.toContain(JSON.stringify(secret).slice(1, -1));
  expect(JSON.stringify(told)).not.toContain('hush-hush');
});

test('bytes that the library keeps in its errors are dropped', () => {
  const cause = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT', data: secret });
  const error = new EgressError(new Failure('bad_response', 'x', { cause }), 'maybe_sent');
  expect(error.cause).toMatchObject({ message: 'Parse Error', code: 'HPE_INVALID_CONSTANT' });
  expect(error.cause).not.toHaveProperty('data');
});
