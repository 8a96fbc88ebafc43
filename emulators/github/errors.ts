// GitHub's refusals: a message, a link and the status as text; validation names resource, field and code.
import { WireError } from '../kit/wire.ts';

const documentation = 'https://docs.github.com/rest';

/** Any refusal. */
export function createGitHubError(status: number, message: string, headers: Record<string, string> = {}): WireError {
  const body = { message, documentation_url: documentation, status: String(status) };
  return new WireError(status, message, body, headers);
}

/** 404, also for what the caller may not see. */
export function createNotVisibleError(): WireError {
  return createGitHubError(404, 'Not Found');
}

/** One entry of `errors`. */
export type FieldError = {
  resource: string;
  field: string;
  code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom';
  value?: unknown;
  message?: string;
};

/** 422 with its list of errors. */
export function createInvalidFieldsError(...errors: FieldError[]): WireError {
  const message = 'Validation Failed';
  return new WireError(422, message, { message, errors, documentation_url: documentation, status: '422' });
}

/** 422 for a body that does not fit the description: a plain message, no list. */
export function createInvalidRequestError(detail: string): WireError {
  return createGitHubError(422, `Invalid request.\n\n${detail}`);
}

/** The secondary limit, which has no figures but a Retry-After. */
export function createSecondaryLimitError(status: number, retryAfter: number): WireError {
  return createGitHubError(
    status,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    {
      'retry-after': String(retryAfter),
    },
  );
}
