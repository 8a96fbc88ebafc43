import { expect, test } from 'vitest';
import { ApiError, isCancelled, mayMeanChange } from './api-error.ts';

function createError(code: string, status: number): ApiError {
  return new ApiError({ status, code, detail: 'It did not work.' });
}

test('an error about the input leaves what is shown as it is', () => {
  for (const [code, status] of [
    ['invalid_input', 422],
    ['rate_limited', 429],
    ['plan_limit', 402],
    ['offline', 0],
  ] as const)
    expect(mayMeanChange(createError(code, status))).toBe(false);
});

test('a conflict, a missing item and an unknown outcome may mean that what is shown is old', () => {
  for (const [code, status] of [
    ['conflict', 409],
    ['not_found', 404],
    ['forbidden', 403],
    ['unreachable', 0],
    ['internal', 500],
    ['unexpected', 502],
  ] as const)
    expect(mayMeanChange(createError(code, status))).toBe(true);
  expect(mayMeanChange(new TypeError('no answer'))).toBe(true);
});

test('a cancelled call does not count as an error', () => {
  expect(isCancelled(new DOMException('Cancelled', 'AbortError'))).toBe(true);
  expect(isCancelled(createError('internal', 500))).toBe(false);
});
