import type { Caller } from '#kernel/caller';
import { listToolsets, type Catalogue } from '#kernel/catalogue';
import { AppError } from '#kernel/errors';
import type { Operation } from '#kernel/operation';

/** The toolsets of an address that names none. */
const defaultToolsets: readonly string[] = ['memory', 'integrations', 'actions'];

/** All toolsets, default ones first. */
export function listOrderedToolsets(catalogue: Catalogue): string[] {
  return [...new Set([...defaultToolsets, ...listToolsets(catalogue)])];
}

/** The toolsets that an address selects with `?toolsets=a,b` or `all`. Throws `invalid_input` for an unknown one. */
export function selectToolsets(asked: string | undefined, toolsets: readonly string[]): readonly string[] {
  const names = asked?.split(',').map((name) => name.trim()) ?? [];
  if (!names.filter(Boolean).length) return defaultToolsets;
  if (names.includes('all')) return toolsets;
  const unknown = names.find((name) => !toolsets.includes(name));
  if (unknown !== undefined) {
    throw new AppError(
      'invalid_input',
      `There is no toolset '${unknown.slice(0, 60)}'. Choose among ${toolsets.join(', ')}, or all.`,
    );
  }
  return toolsets.filter((toolset) => names.includes(toolset));
}

/**
 * Whether an address asks for full schemas with outputs, by `?schemas=full`. Throws `invalid_input` for another value.
 */
export function isForFullSchemas(asked: string | undefined): boolean {
  if (asked === undefined || asked === '' || asked === 'short') return false;
  if (asked === 'full') return true;
  throw new AppError('invalid_input', `There is no '${asked.slice(0, 60)}' for schemas. Choose short or full.`);
}

/**
 * Whether a caller sees an operation in the list. Missing scopes hide only account operations: for others the error of
 * a call says who can do it, such as the link where a person confirms.
 */
export function isShownTo({ toolset, access }: Operation, caller: Caller): boolean {
  return toolset !== 'accounts' || caller.scopes.has(access.scope);
}
