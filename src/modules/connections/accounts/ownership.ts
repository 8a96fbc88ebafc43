import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { ConnectionRow } from '../store/connections.ts';

/** The owner of an account: one person, or the workspace for all members. */
export const ownerField = z
  .enum(['person', 'workspace'])
  .default('person')
  .describe('workspace: every member may use it. Needs the workspace role admin or owner.');

/** Throws unless the caller may link accounts for the workspace. */
export function checkMayShare({ role }: Caller, owner: 'person' | 'workspace'): void {
  if (owner === 'person' || role !== 'member') return;
  throw new AppError('forbidden', 'Only an admin or the owner of the workspace may link accounts for everybody.');
}

/** Throws unless the caller may change or disconnect this account: their own, or, as an admin, the workspace's. */
export function checkMayChange({ role }: Caller, row: ConnectionRow): void {
  if (!row.is_shared || role !== 'member') return;
  const message = `${row.account} belongs to the workspace. One of its admins can change it.`;
  throw new AppError('forbidden', message, { connection_id: row.id });
}

/** The scopes of `wanted` that an account lacks. The scopes of a pasted token are unknown. */
export function listMissingAccountScopes(
  row: Pick<ConnectionRow, 'kind' | 'scopes'>,
  wanted: readonly string[],
): string[] {
  const given = new Set(row.scopes.map((scope) => scope.toLowerCase()));
  return row.kind === 'token' ? [] : wanted.filter((scope) => !given.has(scope.toLowerCase()));
}
