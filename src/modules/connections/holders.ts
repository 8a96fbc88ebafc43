// Who may hold an account: the owners in the credential chain of a caller.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';

/**
 * A possible owner of an account for the caller, with its link of the credential chain (`modules/variables/resolving/chain.ts`).
 */
export type AccountHolder = { scope: string; scopeId: string; link: string };

/** The owners of the credential chain, in order. */
export type FindAccountHolders = (db: Db, caller: Caller) => Promise<readonly AccountHolder[]>;

/** Whether an account belongs to this owner: a person or the workspace. */
export function isAccountHolder(
  row: { is_shared: boolean; person_id: string; workspace_id: string },
  holder: AccountHolder,
): boolean {
  const [scope, scopeId] = row.is_shared ? ['org', row.workspace_id] : ['person', row.person_id];
  return holder.scope === scope && holder.scopeId === scopeId;
}
