// The header WWW-Authenticate of a refused request: RFC 6750, and where a token comes from (RFC 9728).
import type { Problem } from '#faces/rest';
import { isScope } from '#kernel/scopes';
import { isGrantable, smallestScope, type Resources } from '#modules/oauth-server';

/** The challenge of an answer; null: another credential would not help. */
export function findChallenge(
  { status, details = {} }: Problem,
  {
    resources,
    path,
    host,
    hasToken,
  }: { resources: Resources; path: string; host: string | undefined; hasToken: boolean },
): string | null {
  const metadata = `resource_metadata="${resources.metadataUrl(path, host)}"`;
  if (status === 401) {
    const error = hasToken ? 'error="invalid_token", ' : '';
    return `Bearer ${error}${metadata}, scope="${smallestScope}"`;
  }
  const scopes = details['scopes'];
  if (status !== 403 || !Array.isArray(scopes) || !scopes.every((scope) => isScope(scope) && isGrantable(scope)))
    return null;
  return `Bearer error="insufficient_scope", ${metadata}, scope="${scopes.join(' ')}"`;
}
