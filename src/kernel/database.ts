import type { Kysely } from 'kysely';

/**
 * A transaction bound to one workspace: row level security shows and accepts that workspace's rows alone.
 * Each store narrows it to its own tables.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the tables are known by each module's store, not by the kernel
export type Db = Kysely<any>;

/**
 * Opens workspace-bound transactions. `read` answers before its COMMIT is acknowledged, for nothing can be lost.
 * `mayRepeat`: the work does nothing beside the transaction, so that it is done again when the database ended it because two
 * transactions waited for each other.
 */
export type Transactions = {
  run<T>(
    workspaceId: string,
    mode: 'read' | 'write',
    work: (db: Db) => Promise<T>,
    options?: { mayRepeat?: boolean },
  ): Promise<T>;
};
