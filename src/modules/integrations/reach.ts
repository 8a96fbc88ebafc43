import { buffer } from 'node:stream/consumers';
import type { Transactions } from '#kernel/database';
import { findConnection } from '#modules/connections';
import type { OpenRetainedFile } from '#modules/pages';
import type { ProviderClient, Reach } from '#providers/http';
import { sources } from '#providers';

const providers = new Map(sources.map(({ name, provider }) => [name, provider]));

/** Gives a draft's action the access to its provider, and the files to send. */
export function createReach(
  { client, files, transactions }: { client: ProviderClient; files: OpenRetainedFile; transactions: Transactions },
  draft: { id: string; workspace_id: string; connection_id: string; source: string },
  deadline: AbortSignal,
): Reach {
  const { id, workspace_id: workspaceId, connection_id: connectionId, source } = draft;
  const provider = providers.get(source);
  if (provider === undefined) throw new Error(`there is no source ${source}`);
  const file = async (position: number) => {
    const found = await files(workspaceId, id, position);
    return found && buffer(found.body);
  };
  const address = async () => {
    const account = await transactions.run(workspaceId, 'read', (db) => findConnection(db, connectionId));
    return account?.settings.url ?? null;
  };
  return { client, link: { workspaceId, connectionId, provider, deadline }, file, address };
}
