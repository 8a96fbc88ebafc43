import { scopeWords } from '#kernel/scopes';
import type { Me } from '../../entities/me.ts';

export type Scope = Me['scopes'][number];

/** Permissions in words, in the order in which the server lists them. */
export function describeScopes(scopes: readonly string[]): string[] {
  return Object.entries(scopeWords).flatMap(([scope, words]) => (scopes.includes(scope) ? [words] : []));
}
