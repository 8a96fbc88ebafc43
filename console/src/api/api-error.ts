/** RFC 9457 problem details as the server writes them; status 0 when the server was not reached. */
export type Problem = {
  status: number;
  code: string;
  detail: string;
  details?: Record<string, unknown>;
  request_id?: string;
};

/** A call that was refused or failed; its message is for people. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options: ErrorOptions = {}) {
    super(problem.detail, options);
    this.name = 'ApiError';
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }

  get details(): Problem['details'] {
    return this.problem.details;
  }
}

/** Reads the body of a failed answer, which a proxy may have replaced by something else. */
export function parseProblem(body: unknown, status: number): Problem {
  if (isProblem(body)) return { ...body, status };
  return { status, code: 'unexpected', detail: `The server answered ${status}. Try again in a moment.` };
}

/** Whether the person must sign in (again). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 401;
}

/** Whether the item does not exist, or is no longer visible to this person. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 404;
}

/** Whether the request never left this machine, so that it changed nothing. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === 'offline';
}

/** Whether the person cancelled the call. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Errors about the input or the caller. The server changed nothing, and the shown data may still be current. */
const inputErrors = new Set([
  'malformed_json',
  'invalid_input',
  'payload_too_large',
  'rate_limited',
  'plan_limit',
  'offline',
]);

/**
 * Whether what is shown may be old after this error: the item was changed or deleted meanwhile, permissions changed, or
 * it is not known whether the call took effect.
 */
export function mayMeanChange(error: unknown): boolean {
  return !(error instanceof ApiError && inputErrors.has(error.code));
}

/** Whether somebody else changed the item meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.problem.details?.['reason'] === 'edited';
}

/** The error of each input field, by name. */
export function getInputIssues(error: unknown): ReadonlyMap<string, string> {
  const issues = error instanceof ApiError ? error.problem.details?.['issues'] : null;
  const known = Array.isArray(issues) ? issues.filter(isIssue) : [];
  // Only the first error of a field is shown.
  return new Map(known.toReversed().map(({ path, message }) => [String(path).split('.')[0] ?? '', message]));
}

function isIssue(issue: unknown): issue is { path: string; message: string } {
  return typeof issue === 'object' && issue !== null && 'path' in issue && 'message' in issue;
}

/** A thrown value as a sentence for people. */
export function formatErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
}
