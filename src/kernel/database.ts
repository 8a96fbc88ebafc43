import type { Kysely } from 'kysely';

/**
 * A transaction bound to one workspace: row level security shows and accepts only rows of that workspace. Each store
 * narrows the transaction to its own tables.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the tables are known by each module's store, not by the kernel
export type Db = Kysely<any>;

/**
 * Opens transactions that are bound to a workspace. `read` returns before its COMMIT is acknowledged, because nothing
 * can be lost. `mayRepeat`: the work has no effect outside the transaction, so it may run again after a deadlock, or
 * after waiting for a slow answer (`platform/late-answers`).
 */
export type Transactions = {
  run<T>(
    workspaceId: string,
    mode: 'read' | 'write',
    work: (db: Db) => Promise<T>,
    options?: { mayRepeat?: boolean },
  ): Promise<T>;
};
