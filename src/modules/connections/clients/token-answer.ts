import { decodeBodyText, type EgressResponse } from '#platform/egress';
import type { OAuthFacts } from '#kernel/provider';
import { getValueAt } from './request-facts.ts';

/**
 * Normalizes the answer of a token endpoint to RFC 6749: nested tokens, scopes as a list, errors in a 200. Unused
 * fields and identity tokens are dropped, because the provider's API returns the identity.
 */
export function normalizeTokenAnswer({ tokensAt }: Pick<OAuthFacts, 'tokensAt'>, response: EgressResponse): Response {
  const answer = tryParseObject(response);
  if (!answer) return new Response(new Uint8Array(response.body), response);
  const inner = tokensAt ? getValueAt(answer, tokensAt) : undefined;
  const tokens = isObject(inner) && typeof inner['access_token'] === 'string' ? inner : answer;
  const error = typeof answer['error'] === 'string' ? answer['error'] : undefined;
  const plain =
    error === undefined
      ? pickTokenFields(tokens)
      : { error, error_description: toNonEmptyText(answer['error_description']) };
  const status = error === undefined ? response.status : Math.max(400, response.status);
  return new Response(JSON.stringify(plain), { status, headers: { 'content-type': 'application/json' } });
}

function pickTokenFields(tokens: Record<string, unknown>): Record<string, unknown> {
  const { access_token, refresh_token, expires_in, refresh_token_expires_in, scope } = tokens;
  return {
    access_token,
    token_type: 'bearer',
    refresh_token: refresh_token || undefined,
    expires_in: parseSeconds(expires_in),
    refresh_token_expires_in: parseSeconds(refresh_token_expires_in),
    scope: Array.isArray(scope) ? scope.join(' ') : toNonEmptyText(scope),
  };
}

/** Some providers send numbers as text, and nothing or 0 for tokens that do not expire. */
function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
  return seconds > 0 ? seconds : undefined;
}

function tryParseObject(response: EgressResponse): Record<string, unknown> | null {
  try {
    const answer: unknown = JSON.parse(decodeBodyText(response));
    return isObject(answer) ? answer : null;
  } catch {
    return null;
  }
}

function toNonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
