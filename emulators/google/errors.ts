// Google answers errors in two dialects: the newer services (Gmail, and every auth failure) carry a `status`
// word, Calendar and Drive do not. Both carry `errors[]` with a domain and a reason.
import { WireError } from '../kit/wire.ts';

/** Which API a route belongs to; it decides the dialect of its errors. */
export type Api = 'gmail' | 'calendar' | 'drive' | 'oauth';

/** One entry of `error.errors[]`. */
export type ErrorItem = {
  domain: string;
  reason: string;
  message: string;
  location?: string;
  locationType?: 'parameter' | 'header';
};

const statusWords: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** An error of the newer services, with `status` and optional `details`. */
export function createModernError(
  code: number,
  item: Omit<ErrorItem, 'domain'> & { domain?: string },
  options: { message?: string; details?: unknown[]; headers?: Record<string, string> } = {},
): WireError {
  const message = options.message ?? item.message;
  const { reason, ...rest } = item;
  const error = {
    code,
    message,
    errors: [{ ...rest, domain: item.domain ?? 'global', reason }],
    status: statusWords[code] ?? 'UNKNOWN',
    ...(options.details ? { details: options.details } : {}),
  };
  return new WireError(code, message, { error }, options.headers);
}

/** An error of Calendar or Drive: no `status` word. */
export function createLegacyError(code: number, item: Omit<ErrorItem, 'domain'> & { domain?: string }): WireError {
  const { message } = item;
  return new WireError(code, message, { error: { errors: [{ domain: 'global', ...item }], code, message } });
}

/** An error of the token and revocation endpoints (RFC 6749 section 5.2). */
export function createOauthError(status: number, error: string, description?: string): WireError {
  return new WireError(status, error, { error, ...(description ? { error_description: description } : {}) });
}

/** The error of the dialect that an API speaks. */
export function createApiError(
  api: Api,
  code: number,
  item: Omit<ErrorItem, 'domain'> & { domain?: string },
): WireError {
  return api === 'calendar' || api === 'drive' ? createLegacyError(code, item) : createModernError(code, item);
}

/** 400 of the newer services for a value that cannot be used. */
export function createInvalidArgumentError(message: string, details?: unknown[]): WireError {
  return createModernError(400, { reason: 'invalidArgument', message }, details ? { details } : {});
}

/** 404 of Gmail. */
export function createEntityNotFoundError(): WireError {
  return createModernError(404, { reason: 'notFound', message: 'Requested entity was not found.' });
}

/** 401 for a token that is missing, unknown, expired or revoked. */
export function createUnauthenticatedError(kind: 'missing' | 'invalid'): WireError {
  const rest =
    'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  const missing = kind === 'missing';
  return createModernError(
    401,
    {
      reason: missing ? 'required' : 'authError',
      message: missing ? 'Login Required.' : 'Invalid Credentials',
      location: 'Authorization',
      locationType: 'header',
    },
    {
      message: `${missing ? 'Request is missing required authentication credential.' : 'Request had invalid authentication credentials.'} ${rest}`,
      headers: {
        'www-authenticate': `Bearer realm="https://accounts.google.com/"${missing ? '' : ', error="invalid_token"'}`,
      },
      ...(missing
        ? {
            details: [
              {
                '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                reason: 'CREDENTIALS_MISSING',
                domain: 'googleapis.com',
              },
            ],
          }
        : {}),
    },
  );
}

/** 403 for a live token that lacks every scope the method takes. */
export function createScopesError(api: Api, needed: readonly string[]): WireError {
  return createModernError(
    403,
    { reason: 'insufficientPermissions', message: 'Insufficient Permission' },
    {
      message: 'Request had insufficient authentication scopes.',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          domain: 'googleapis.com',
          metadata: { service: `${api}.googleapis.com` },
        },
      ],
      headers: {
        'www-authenticate': `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="${needed.join(' ')}"`,
      },
    },
  );
}

const failureReasons: Record<number, { reason: string; message: string; domain?: string }> = {
  401: { reason: 'authError', message: 'Invalid Credentials' },
  403: { reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded', domain: 'usageLimits' },
  404: { reason: 'notFound', message: 'Requested entity was not found.' },
  429: { reason: 'rateLimitExceeded', message: 'Too many concurrent requests for user', domain: 'usageLimits' },
  500: { reason: 'backendError', message: 'Internal error encountered.' },
  502: { reason: 'backendError', message: 'Bad Gateway' },
  503: { reason: 'backendError', message: 'The service is currently unavailable.' },
};

/** The error an outage gives, for a status asked for by a test. */
export function createOutageError(
  api: Api,
  status: number,
  options: { reason?: string; retryAfter?: number },
): WireError {
  const known = failureReasons[status] ?? { reason: 'backendError', message: 'Backend Error' };
  const headers: Record<string, string> =
    options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) };
  if (api === 'oauth') return new WireError(status, known.message, { error: 'internal_failure' }, headers);
  const error = createModernError(status, { ...known, ...(options.reason ? { reason: options.reason } : {}) });
  return new WireError(status, error.message, error.body, headers);
}
