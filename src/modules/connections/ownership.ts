import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Db } from '#kernel/database';
import type { ConnectionRow } from './store/connections.ts';

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

/**
 * A possible owner of an account for the caller, with its link of the credential chain (`modules/variables/chain.ts`).
 */
export type Holder = { scope: string; scopeId: string; link: string };

/** The owners of the credential chain, in order. */
export type HoldersOf = (db: Db, caller: Caller) => Promise<readonly Holder[]>;

/** Whether an account belongs to this owner: a person or the workspace. */
export function isHeldBy(
  row: Pick<ConnectionRow, 'is_shared' | 'person_id' | 'workspace_id'>,
  holder: Holder,
): boolean {
  const [scope, scopeId] = row.is_shared ? ['org', row.workspace_id] : ['person', row.person_id];
  return holder.scope === scope && holder.scopeId === scopeId;
}

/** The scopes of `wanted` that an account lacks. The scopes of a pasted token are unknown. */
export function missingScopes(row: Pick<ConnectionRow, 'kind' | 'scopes'>, wanted: readonly string[]): string[] {
  const given = new Set(row.scopes.map((scope) => scope.toLowerCase()));
  return row.kind === 'token' ? [] : wanted.filter((scope) => !given.has(scope.toLowerCase()));
}
