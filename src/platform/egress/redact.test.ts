import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { EgressError, Failure } from './egress-error.ts';
import { redactSecrets } from './redact.ts';

const secret = 'p&ss/wörd "42"+=';
const formatCharacterCode = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, '0');

test.each([
  ['as it is', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lower case', encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase())],
  ['as a form field', new URLSearchParams({ s: secret }).toString().slice(2)],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['in capitals', secret.toUpperCase()],
  ['in lower case', secret.toLowerCase()],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in hexadecimal capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ['with each byte URL-encoded', Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
  [
    'with each byte URL-encoded in capitals',
    Buffer.from(secret).toString('hex').toUpperCase().replaceAll(/../g, '%$&'),
  ],
  [
    'with each byte escaped',
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/../g, String.raw`\x$&`),
  ],
  ['with each letter escaped as in JSON', [...secret].map((one) => String.raw`\u${formatCharacterCode(one)}`).join('')],
  ['with each letter as in HTML', [...secret].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  [
    'with each letter as in HTML, in hexadecimal',
    [...secret].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join(''),
  ],
  ['in HTML', secret.replace('&', '&amp;').replaceAll('"', '&quot;')],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['backwards', [...secret].toReversed().join('')],
  ['as password of Basic', Buffer.from(`user:${secret}`).toString('base64')],
  ['as password of Basic, other alignment', Buffer.from(`users:${secret}:x`).toString('base64')],
])('a secret %s is removed', (_how, form) => {
  const clean = redactSecrets(`before ${form} after`, [secret]);
  expect(clean).toMatch(/^before .*\[redacted\].* after$/);
  expect(clean).not.toContain(form);
});

test('a short value is found only in its exact spelling', () => {
  expect(redactSecrets('Admin admin 41646d696e nimda', ['Admin'])).toBe('[redacted] admin 41646d696e nimda');
});

test('the time to redact a text grows linearly with its length', () => {
  const time = (length: number) => {
    const text = 'aAbB%41%61'.repeat(length / 10);
    const started = performance.now();
    for (let round = 0; round < 5; round += 1)
      redactSecrets(text, ['aabbaabb', 'Bb%41%61aA', 'a'.repeat(40), 'zzzzzzzzzz']);
    return performance.now() - started;
  };
  time(50_000);
  expect(time(800_000)).toBeLessThan(16 * 3 * Math.max(time(50_000), 1));
});

test('text that looks like a credential is redacted without being listed', () => {
  expect(redactSecrets('sent Bearer abcdefghijkl0123 to x')).toBe('sent Bearer [redacted] to x');
  expect(redactSecrets('GET /a?access_token=abc&b=c')).toBe('GET /a?access_token=[redacted]&b=c');
  for (const plain of ['a bearer of bad news', 'Basic authentication required', 'the token is not valid']) {
    expect(redactSecrets(plain)).toBe(plain);
  }
});

test('an empty secret redacts nothing, and of two secrets the longer one is redacted first', () => {
  expect(redactSecrets('text', [''])).toBe('text');
  expect(redactSecrets('abcdef', ['abc', 'abcdef'])).toBe('[redacted]');
});

test('of two overlapping secrets, no part of either remains', () => {
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
  const reported: unknown[] = [];
  for (let at = error; at instanceof Error; at = at.cause) reported.push(at.message, at.stack, Object.entries(at));
  expect(reported.length).toBeGreaterThan(5);
  expect(JSON.stringify(reported)).not.toContain(JSON.stringify(secret).slice(1, -1));
  expect(JSON.stringify(reported)).not.toContain('hush-hush');
});

test('bytes that the library keeps in its errors are dropped', () => {
  const cause = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT', data: secret });
  const error = new EgressError(new Failure('bad_response', 'x', { cause }), 'maybe_sent');
  expect(error.cause).toMatchObject({ message: 'Parse Error', code: 'HPE_INVALID_CONSTANT' });
  expect(error.cause).not.toHaveProperty('data');
});
