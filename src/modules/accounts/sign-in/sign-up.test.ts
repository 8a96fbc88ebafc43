import { expect, test } from 'vitest';
import { maySignUp } from './sign-up.ts';

test.each([
  ['closed', 'ada@example.com', false],
  ['open', 'ada@example.com', true],
  [['example.com'], 'Ada@Example.com', true],
  [['example.com'], 'ada@team.example.com', false],
  [['example.com'], 'ada@example.com.evil.example', false],
  [['example.com'], '"ada@example.com"@evil.example', false],
] as const)('with sign-up %s, %s may: %s', (signUp, email, may) => {
  expect(maySignUp(signUp, email)).toBe(may);
});
