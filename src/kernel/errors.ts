/** The closed set of error codes and the HTTP status each has on every HTTP face. */
export const errorStatus = {
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
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Facts beside the message that help the caller. Never a secret, a stack trace or a path. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The only error that reaches a caller unchanged. `message` says what happened and what to do; `cause` is logged and
 * never shown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** The same error for items that do not exist and for items that the caller may not see. */
export function createNotFoundError(what: string): AppError {
  return new AppError('not_found', `No such ${what}, or you may not see it. Check the id and the brain it belongs to.`);
}

/**
 * The error that a caller sees: our own errors unchanged. Any other error is a bug, and shows only the request id,
 * which the log has, too.
 */
export function toPublicError(thrown: unknown, requestId: string): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', `Something went wrong on the server. Give its operator the request id ${requestId}.`);
}

/** Turns a thrown value into an error: any value can be thrown, but handlers read the fields of an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('a value that is not an error was thrown', { cause: thrown });
}
