import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Db } from '#kernel/database';
import type { ConnectionRow } from './store/connections.ts';

/** Whose an account is: the person's alone, or the workspace's, for every member to use. */
export const ownerField = z
  .enum(['person', 'workspace'])
  .default('person')
  .describe('workspace: every member may use it. Needs the workspace role admin or owner.');

/** Throws unless the caller may link accounts for everybody. */
export function checkMayShare({ role }: Caller, owner: 'person' | 'workspace'): void {
  if (owner === 'person' || role !== 'member') return;
  throw new AppError('forbidden', 'Only an admin or the owner of the workspace may link accounts for everybody.');
}

/** Throws unless the caller may change or end this account: their own, or the workspace's as one of its admins. */
export function checkMayChange({ role }: Caller, row: ConnectionRow): void {
  if (!row.is_shared || role !== 'member') return;
  const message = `${row.account} belongs to the workspace. One of its admins can change it.`;
  throw new AppError('forbidden', message, { connection_id: row.id });
}

/** Who may hold an account for a caller, and the link of the chain they are (`modules/variables/chain.ts`). */
export type Holder = { scope: string; scopeId: string; link: string };

/** Tells them in the order in which they are asked. */
export type HoldersOf = (db: Db, caller: Caller) => Promise<readonly Holder[]>;

/** Whether an account is held by this holder: a person holds their own, the workspace those that it shares. */
export function isHeldBy(
  row: Pick<ConnectionRow, 'is_shared' | 'person_id' | 'workspace_id'>,
  holder: Holder,
): boolean {
  const [scope, scopeId] = row.is_shared ? ['org', row.workspace_id] : ['person', row.person_id];
  return holder.scope === scope && holder.scopeId === scopeId;
}

/** The scopes of `wanted` that an account was not given. What a pasted token may do, its provider alone knows. */
export function missingScopes(row: Pick<ConnectionRow, 'kind' | 'scopes'>, wanted: readonly string[]): string[] {
  const given = new Set(row.scopes.map((scope) => scope.toLowerCase()));
  return row.kind === 'token' ? [] : wanted.filter((scope) => !given.has(scope.toLowerCase()));
}
