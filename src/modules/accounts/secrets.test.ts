import { expect, test } from 'vitest';
import { generateSecret } from '#platform/one-time-secrets';
import { withoutSignInTokens } from './secrets.ts';

const token = generateSecret('tl');

test.for([
  `https://thalamus.example/inbox#${token} and on`,
  `https://safe.example/?url=https%3A%2F%2Fthalamus.example%2Finbox%23${token}`,
  `a line that is broken: tl_${token.slice(3, 20)}=\r\n${token.slice(20)}`,
  `and twice: ${token}, ${token}.`,
])('no sign-in token remains in «%s»', (text) => {
  expect(withoutSignInTokens(text)).not.toContain(token.slice(25));
  expect(withoutSignInTokens(text)).toContain('tl_…');
});

test('text that only looks like a token stays', () => {
  const text = `html_${'a'.repeat(30)} tl_dr cm_${'x'.repeat(43)}`;
  expect(withoutSignInTokens(text)).toBe(text);
});
