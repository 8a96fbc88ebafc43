import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findConnection, listConnections, type ConnectionRow } from '#modules/connections';

/** What is asked for: a source of a provider, and which account when there are several. */
export type AccountWish = { source: string; label: string; provider: string; account?: string | undefined };

/**
 * The caller's linked account for a source. Throws with the page to link it on when there is none, when it was revoked,
 * or when there are several and none was named.
 */
export async function linkedAccount(ctx: Context, wish: AccountWish, publicUrl: string): Promise<ConnectionRow> {
  const all = await listConnections(ctx.db, ctx.caller.personId, wish.provider);
  const connections = wish.account ? all.filter((row) => row.account === wish.account) : all;
  const active = connections.filter((row) => row.status === 'active');
  const connectUrl = `${publicUrl}/integrations/${wish.source}`;
  const [only, second] = active;
  if (!only) {
    const [revoked] = connections;
    const reason =
      revoked?.status_reason ?? `${wish.label} is not linked${wish.account ? ` for ${wish.account}` : ''}.`;
    throw new AppError('conflict', `${reason} The person can link it at ${connectUrl}`, { connect_url: connectUrl });
  }
  if (second) {
    const accounts = active.map((row) => row.account);
    throw new AppError('invalid_input', `account: several accounts are linked; name one of ${accounts.join(', ')}.`, {
      accounts,
    });
  }
  return only;
}

/** The linked account with this id, if it can be used. */
export async function accountById(ctx: Context, connectionId: string, publicUrl: string): Promise<ConnectionRow> {
  const row = await findConnection(ctx.db, connectionId);
  if (!row) throw new Error('a connection that was resolved is not there');
  if (row.status === 'active') return row;
  const connectUrl = `${publicUrl}/integrations`;
  throw new AppError(
    'conflict',
    `${row.status_reason ?? 'The account was unlinked.'} The person can link it at ${connectUrl}`,
    {
      connect_url: connectUrl,
    },
  );
}
