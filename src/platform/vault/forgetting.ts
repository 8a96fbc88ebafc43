// Has the external vault forget what is gone here: read from a table that fills itself, in the transaction that removes a secret.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import type { Log } from '#platform/log';
import { sql, type Kysely } from 'kysely';
import type { Vault } from './vault.ts';

/** The work in the background. Every process may do it; a secret is forgotten by one at a time. */
export type Forgetting = { start(): void; stop(): Promise<void> };

type Options = {
  transactions: Transactions;
  vault: Vault;
  log: Log;
  /** Work of the server itself, over all workspaces. */
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

type Gone = {
  id: string;
  workspace_id: string;
  in_table: string;
  in_row: string;
  in_column: string;
  sealed: string;
  is_whole: boolean;
};
type Bound = Kysely<{ secrets_to_forget: Gone }>;

const everyMs = 2_000;
/** So long a vault that did not answer is left alone. */
const pauseMs = 30_000;

export function createForgetting(options: Options): Forgetting {
  const { asSystem, log } = options;
  const stopped = new AbortController();
  let forgetting: Promise<void> = Promise.resolve();

  async function forgetAll(): Promise<void> {
    for (const workspaceId of await asSystem(workspacesWithGone))
      while (!stopped.signal.aborted && (await forgetOne(options, workspaceId))); // one after the other
  }

  async function keepForgetting(): Promise<void> {
    while (!stopped.signal.aborted) {
      const isTold = await forgetAll().then(
        () => true,
        (err: unknown) => log.warn({ err }, 'the external vault still keeps secrets that are gone here'),
      );
      await sleep(isTold ? everyMs : pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  return {
    start() {
      forgetting = keepForgetting();
    },
    async stop() {
      stopped.abort();
      await forgetting;
    },
  };
}

async function workspacesWithGone(db: Db): Promise<string[]> {
  const rows = await (db as Bound).selectFrom('secrets_to_forget').select('workspace_id').distinct().execute();
  return rows.map((row) => row.workspace_id);
}

/** False: nothing is left. Throws when the vault does not answer; then it stays to be told. */
async function forgetOne({ transactions, vault }: Options, workspaceId: string): Promise<boolean> {
  return transactions.run(workspaceId, 'write', async (db: Bound) => {
    const gone = await db
      .selectFrom('secrets_to_forget')
      .selectAll()
      .orderBy('id')
      .limit(1)
      .modifyEnd(sql`for update skip locked`)
      .executeTakeFirst();
    if (!gone) return false;
    const place = { workspaceId, table: gone.in_table, row: gone.in_row, column: gone.in_column };
    await vault.forget(place, gone.sealed, { isWhole: gone.is_whole });
    await db.deleteFrom('secrets_to_forget').where('id', '=', gone.id).execute();
    return true;
  });
}
