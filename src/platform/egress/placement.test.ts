import { expect, test } from 'vitest';
import { isHostAllowed, canStandInPlace, isHostRule, isPlacement } from './placement.ts';

test.for(['header', 'header:X-Api-Key', 'query', 'query:api_key', 'path', 'form:client_secret', 'json:auth.token'])(
  'the text %s is a placement',
  (text) => expect(isPlacement(text)).toBe(true),
);
test.for(['', 'body', 'path:x', 'header:', 'query: x', 'HEADER', 'json:a b'])(
  'the text «%s» is not a placement',
  (text) => expect(isPlacement(text)).toBe(false),
);

test.for([
  'api.example.com',
  '*.example.com',
  '*.example.co.uk',
  '*.ada.github.io',
  '*.googleapis.com',
  'ollama:11434',
  '127.0.0.1:8080',
  '[::1]:8080',
  'localhost',
])('the text %s names hosts', (text) => expect(isHostRule(text)).toBe(true));
test.for([
  '',
  '*',
  '*.com',
  'com',
  'co.uk',
  '*.co.uk',
  '*.github.io',
  '*.s3.amazonaws.com',
  '*.COM',
  'https://x.example',
  'x.example/path',
  'u@x.example',
  'a b',
  '*.',
  'x..example',
])('the text «%s» names no hosts', (text) => expect(isHostRule(text)).toBe(false));

test('a host matches its exact name, and a wildcard matches the names below it', () => {
  const rules = ['api.example.com', '*.wild.example', 'local.example:8080'];
  const allowed = (url: string) => isHostAllowed(rules, new URL(url));
  for (const url of ['https://api.example.com/x', 'https://a.b.wild.example', 'http://local.example:8080']) {
    expect(allowed(url), url).toBe(true);
  }
  for (const url of [
    'https://example.com',
    'https://xapi.example.com',
    'https://api.example.com.evil.example',
    'https://wild.example',
    'https://evilwild.example',
    'https://api.example.com:8443',
    'https://local.example',
  ]) {
    expect(allowed(url), url).toBe(false);
  }
});

test('a stored host rule for a public suffix allows no host', () => {
  expect(isHostAllowed(['*.co.uk', '*.com'], new URL('https://bank.co.uk'))).toBe(false);
  expect(isHostAllowed(['*.bank.co.uk'], new URL('https://api.bank.co.uk'))).toBe(true);
});

test('a kind without a name allows every name, a kind with a name only that one; header names ignore case', () => {
  expect(canStandInPlace(['query'], 'query', 'any')).toBe(true);
  expect(canStandInPlace(['query:key'], 'query', 'Key')).toBe(false);
  expect(canStandInPlace(['header:X-Key'], 'header', 'x-key')).toBe(true);
  expect(canStandInPlace(['header'], 'query', 'header')).toBe(false);
});
