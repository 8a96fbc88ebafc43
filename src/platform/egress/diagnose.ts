// Explains an error answer, in one form for all providers and without secrets.
import { type Diagnostics, type ErrorCategory, errorCategories } from './egress-error.ts';
import { readProviderError } from './provider-error.ts';
import { redactSecrets } from './redact.ts';
import { type EgressResponse, decodeBodyText } from './response.ts';
import { isSeconds, retryAfterMs } from './retry-after.ts';

/** The meaning of a status when the provider's own error code does not say more. */
const categoryByStatus: Readonly<Record<number, ErrorCategory>> = {
  401: 'auth',
  402: 'permission',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'invalid_request',
  429: 'rate_limited',
  504: 'timeout',
};

/** Error codes of providers, where the status alone would mislead (400, 403, and 200 with an error). */
const categoryByWord: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/rate_?limit|too_?many|quota|slow_down/i, 'rate_limited'],
  [/^(invalid_grant|invalid_token|invalid_auth|not_authed|account_inactive|bad_credentials)$/i, 'auth'],
  [/^(token_(expired|revoked)|unauthenticated|authentication_error|invalid_client)$/i, 'auth'],
  [/scope|permission|forbidden|^access_denied$|unauthorized_client/i, 'permission'],
  [/not_?found(exception)?$/i, 'not_found'],
  [/internal|server_?error|fatal_?error|unavailable/i, 'provider_down'],
  [/time_?d?_?out/i, 'timeout'],
];

const maxMessageLength = 500;

/** The headers that report a used-up limit (`remaining` is 0), and its reset time. */
export type RateLimit = { remaining: string; reset: string; as: 'seconds' | 'epoch_seconds' | 'epoch_ms' };

/** The names that Discord and GitHub use, and many others. */
const usualLimits: readonly RateLimit[] = [
  { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset-after', as: 'seconds' },
  { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset', as: 'epoch_seconds' },
];

/**
 * The error of `response`: a non-2xx, or a 2xx whose JSON reports an error (GraphQL, Slack). The provider's message is
 * quoted data, cut at 500 characters, with `secrets` redacted. `retryAfterSeconds` is set when the provider says how
 * long to wait, in `Retry-After`, in `limits` or in headers with the usual names; dates are relative to its own `Date`
 * header. `notFoundBy`: further patterns of messages by which this provider says that an item does not exist.
 */
export function diagnose(
  response: EgressResponse,
  options: { secrets?: readonly string[]; limits?: readonly RateLimit[]; notFoundBy?: readonly string[] } = {},
): Diagnostics {
  const { status } = response;
  const usedUp = [...(options.limits ?? []), ...usualLimits].filter((each) => response.headers[each.remaining] === '0');
  const error = readProviderError(decodeBodyText(response), response.headers['content-type'] ?? '');
  const { message, word } = error;
  const errorCategory = classifyError(
    status,
    { word, message, ...options },
    usedUp.length > 0 || 'retry-after' in response.headers,
  );
  const { code: _code, ...facts } = errorCategories[errorCategory];
  const diagnostics: Diagnostics = { status, errorCategory, ...facts };
  if (message !== undefined) diagnostics.providerMessage = clean(message, options.secrets);
  const retryAfterSeconds = readRetryAfter(response.headers, usedUp) ?? error.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) diagnostics.retryAfterSeconds = retryAfterSeconds;
  return diagnostics;
}

type ReportedError = { word: string; message: string | undefined; notFoundBy?: readonly string[] };

/** GitHub answers 403 when its limit is reached and says so only in headers. */
function classifyError(status: number, said: ReportedError, isLimited: boolean): ErrorCategory {
  if (status === 403 && isLimited) return 'rate_limited';
  if (status < 300 || status === 400 || status === 403) {
    const isMissing = (form: string) =>
      [said.word, said.message ?? ''].some((text) => new RegExp(form, 'i').test(text));
    if (said.notFoundBy?.some(isMissing)) return 'not_found';
    const known = categoryByWord.find(([form]) => form.test(said.word));
    if (known) return known[1];
  }
  return categoryByStatus[status] ?? (status >= 500 ? 'provider_down' : 'invalid_request');
}

/** Whole seconds, from Retry-After or else from the first used-up limit. */
function readRetryAfter(headers: Readonly<Record<string, string>>, usedUp: readonly RateLimit[]): number | undefined {
  const { date = '', 'retry-after': after } = headers;
  const from = new Date(date);
  if (after !== undefined) return toWholeSeconds(retryAfterMs(after, from));
  const limit = usedUp.find(({ reset }) => isSeconds(headers[reset]));
  if (!limit) return undefined;
  const reset = Number(headers[limit.reset]);
  if (limit.as === 'seconds') return Math.ceil(reset);
  return toWholeSeconds((limit.as === 'epoch_ms' ? reset : reset * 1_000) - from.getTime());
}

function toWholeSeconds(ms: number | null): number | undefined {
  return ms !== null && Number.isFinite(ms) && ms >= 0 ? Math.ceil(ms / 1_000) : undefined;
}

function clean(message: string, secrets: readonly string[] | undefined): string {
  // Secrets are redacted first: a cut secret would not be found.
  const text = redactSecrets(message, secrets).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength).toWellFormed()}…` : text;
}
