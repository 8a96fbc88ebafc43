/** An error from the server, with the server's own message. */
export class ServerError extends Error {
  readonly code: string;
  readonly details: unknown;

  constructor(code: string, message: string, details: unknown) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** An error before a server answered: wrong arguments, no server, no key. */
export class UsageError extends Error {}

/** No server answers at the address. */
export class NoServerError extends UsageError {}

/** The exit code of the process, by error code; 1 for all others. */
const exitCodes: Readonly<Record<string, number>> = {
  usage: 2,
  malformed_json: 2,
  invalid_input: 2,
  unsupported_media_type: 2,
  unauthenticated: 3,
  forbidden: 4,
  not_found: 5,
  conflict: 6,
  approval_required: 7,
  plan_limit: 8,
  rate_limited: 8,
  payload_too_large: 8,
  upstream_failed: 9,
  unavailable: 9,
};

/** Prints an error for people on standard error; returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof ServerError) {
    process.stderr.write(`${error.code}: ${error.message}\n`);
    return exitCodes[error.code] ?? 1;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof UsageError ? 2 : 1;
}
