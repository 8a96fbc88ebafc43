import type { Context } from '#kernel/context';
import type { Vault } from '#platform/vault';
import type { ConnectionSettings } from '../credential.ts';
import { buildConnectionChanged } from '../events.ts';
import type { Identity } from '../clients/identity.ts';
import type { Tokens } from '../clients/oauth-client.ts';
import { sealAndStore } from '../tokens/seal-tokens.ts';
import { findConnection, upsertAccount, type ConnectionRow } from '../store/connections.ts';

export type AccountToLink = {
  provider: string;
  kind: 'oauth' | 'token';
  isShared: boolean;
  identity: Identity;
  scopes: string[];
  settings: ConnectionSettings;
  /** Null: an address that needs no key. */
  tokens: Tokens | null;
};

/** Dependencies of storing an account. */
export type AccountKeeping = {
  vault: Vault;
  now: () => Date;
};

/** Stores a new or relinked account with its tokens sealed, and emits the change. */
export async function linkAccount(
  ctx: Context,
  keeping: AccountKeeping,
  { identity, isShared, tokens, ...account }: AccountToLink,
): Promise<ConnectionRow> {
  const { workspaceId, personId } = ctx.caller;
  const { id } = await upsertAccount(ctx.db, {
    ...account,
    id: ctx.newId(),
    workspace_id: workspaceId,
    person_id: personId,
    is_shared: isShared,
    account_id: identity.accountId,
    account: identity.account,
    at: ctx.now,
  });
  if (tokens) await sealAndStore(keeping, ctx.db, { id, workspace_id: workspaceId }, { ...tokens, scopes: null }, null);
  const row = await findConnection(ctx.db, id);
  if (!row) throw new Error('an account that was just stored is missing');
  await ctx.emit(buildConnectionChanged(row));
  return row;
}
