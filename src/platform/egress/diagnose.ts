// Explains an answer that reports a failure, in one form for all providers and without secrets.
import { type Diagnostics, type ErrorCategory, errorCategories } from './egress-error.ts';
import { readProviderError } from './provider-error.ts';
import { redactSecrets } from './redact.ts';
import { type EgressResponse, bodyText } from './response.ts';

/** What a status means when the provider's own word does not say more. */
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

/** Words by which providers name the reason, where the status alone would mislead (400, 403, and 200 with an error). */
const categoryByWord: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/rate_?limit|too_?many|quota|slow_down/i, 'rate_limited'],
  [/^(invalid_grant|invalid_token|invalid_auth|not_authed|account_inactive|bad_credentials)$/i, 'auth'],
  [/^(token_(expired|revoked)|unauthenticated|authentication_error|invalid_client)$/i, 'auth'],
  [/scope|permission|forbidden|^access_denied$|unauthorized_client/i, 'permission'],
  [/not_?found(exception)?$|^invalid(board|item|update|group)idexception$/i, 'not_found'],
  [/internal|server_?error|fatal_?error|unavailable/i, 'provider_down'],
  [/time_?d?_?out/i, 'timeout'],
];

const maxMessageLength = 500;

/**
 * What is wrong with `response`: a non-2xx, or a 2xx whose JSON reports an error (GraphQL, Slack). The provider's words
 * are quoted data, cut at 500 characters, with `secrets` removed. `retryAfterSeconds` is there when the provider says how
 * long to wait; dates are counted from its own `Date` header.
 */
export function diagnose(response: EgressResponse, options: { secrets?: readonly string[] } = {}): Diagnostics {
  const { status } = response;
  const error = readProviderError(bodyText(response), response.headers['content-type'] ?? '');
  const { message, word } = error;
  const errorCategory = categorise(status, { word, message }, response.headers);
  const { code: _code, ...facts } = errorCategories[errorCategory];
  const diagnostics: Diagnostics = { status, errorCategory, ...facts };
  if (message !== undefined) diagnostics.providerMessage = clean(message, options.secrets);
  const retryAfterSeconds = readRetryAfter(response.headers) ?? error.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) diagnostics.retryAfterSeconds = retryAfterSeconds;
  return diagnostics;
}

type Said = { word: string; message: string | undefined };

function categorise(status: number, said: Said, headers: Readonly<Record<string, string>>): ErrorCategory {
  if (status === 403 && isRateLimited(headers)) return 'rate_limited';
  if (status < 300 || status === 400 || status === 403) {
    if (/^entity not found/i.test(said.message ?? '')) return 'not_found'; // Linear, whose word is that of any wrong input
    const known = categoryByWord.find(([form]) => form.test(said.word));
    if (known) return known[1];
  }
  return categoryByStatus[status] ?? (status >= 500 ? 'provider_down' : 'invalid_request');
}

/** GitHub answers 403 when its limit is reached and says so only in headers. */
function isRateLimited(headers: Readonly<Record<string, string>>): boolean {
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
}

/**
 * RFC 9110 section 10.2.3: seconds or a date; Discord gives parts of seconds. Otherwise Discord's `x-ratelimit-reset-after`,
 * seconds, and GitHub's `x-ratelimit-reset`, seconds since 1970.
 */
function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const { date, 'x-ratelimit-reset-after': resetAfter } = headers;
  const after = headers['retry-after'] ?? (headers['x-ratelimit-remaining'] === '0' ? resetAfter : undefined);
  if (after !== undefined && /^\d{1,9}(\.\d{1,9})?$/.test(after)) return Math.ceil(Number(after));
  const reset = headers['x-ratelimit-remaining'] === '0' ? headers['x-ratelimit-reset'] : undefined;
  const until = after === undefined ? Number(reset) * 1000 : Date.parse(after);
  const seconds = Math.ceil((until - Date.parse(date ?? '')) / 1000);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function clean(message: string, secrets: readonly string[] | undefined): string {
  // Secrets go first: cutting one in half would hide it from the search.
  const text = redactSecrets(message, secrets).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength).toWellFormed()}…` : text;
}
