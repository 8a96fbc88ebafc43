import { describe, expect, test } from 'vitest';
import { AppError, toError, errorStatus, createNotFoundError, toPublicError } from './errors.ts';

test('the error codes are a closed set, each with its status', () => {
  expect(errorStatus).toEqual({
    malformed_json: 400,
    invalid_input: 422,
    unauthenticated: 401,
    forbidden: 403,
    not_found: 404,
    method_not_allowed: 405,
    conflict: 409,
    approval_required: 409,
    plan_limit: 402,
    rate_limited: 429,
    payload_too_large: 413,
    unsupported_media_type: 415,
    upstream_failed: 502,
    unavailable: 503,
    internal: 500,
  });
});

describe('the error that a caller gets', () => {
  test('has the message of our own errors', () => {
    const error = new AppError('conflict', 'It is archived already.', { status: 'archived' });
    expect(toPublicError(error, 'r1')).toBe(error);
  });

  test.for([new Error('secret'), 'secret', { code: 'not_found', message: 'secret' }, undefined, null, 7n])(
    'has only the request id for any other error (%s)',
    (thrown) => {
      const { code, message, details, cause } = toPublicError(thrown, 'r1');
      expect({ code, details, cause }).toEqual({ code: 'internal', details: {}, cause: undefined });
      expect(message).toBe('Something went wrong on the server. Give its operator the request id r1.');
    },
  );

  test('does not reveal whether a missing item exists elsewhere', () => {
    expect(createNotFoundError('draft')).toMatchObject({
      code: 'not_found',
      details: {},
      message: expect.stringMatching(/^No such draft, or you may not see it/),
    });
  });
});

test('any thrown value becomes an error that keeps it as its cause', () => {
  const error = new TypeError('as it is');
  expect(toError(error)).toBe(error);
  for (const thrown of ['text', 7, null, undefined, { message: 'no error' }]) {
    expect(toError(thrown)).toBeInstanceOf(Error);
    expect(toError(thrown).cause).toBe(thrown);
  }
});
