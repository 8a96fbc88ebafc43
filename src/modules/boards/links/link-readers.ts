// How the boards of a server read services.
import type { Db } from '#kernel/database';
import { getAdapterReaders, type AdapterReaders } from '#modules/integrations';
import type { Ground } from '#platform';

export type LinkReaders = {
  open: AdapterReaders;
  /** A short transaction of a workspace, for rules that are asked while no transaction is open. */
  transact(workspaceId: string, work: (db: Db) => Promise<unknown>): Promise<unknown>;
};

export function getLinkReaders(ground: Ground): LinkReaders {
  const { transactions } = ground;
  return {
    open: getAdapterReaders(ground),
    transact: (workspaceId, work) => transactions.run(workspaceId, 'read', work),
  };
}
