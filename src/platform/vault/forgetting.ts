// Deletes secrets from the external vault after they were removed here. The transaction that removes a secret adds a
// row to the table that this reads.
import type { Db, Transactions } from '#kernel/database';
import { createBackground, type RunningTask } from '#platform/background';
import { EgressError } from '#platform/egress';
import type { Log } from '#platform/log';
import { sql, type Kysely } from 'kysely';
import type { Vault } from './vault.ts';

type Options = {
  transactions: Transactions;
  vault: Vault;
  log: Log;
  /** Work of the server itself, over all workspaces. */
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * How long a secret stays after its removal: a caller that read its reference just before must still be able to open
   * it. A minute.
   */
  keptForMs?: number;
};

type RemovedSecret = {
  id: string;
  workspace_id: string;
  in_table: string;
  in_row: string;
  in_column: string;
  sealed: string;
  is_whole: boolean;
  since: Date;
};
type ForgettingDb = Kysely<{ secrets_to_forget: RemovedSecret }>;

/** Called with deletions that failed. */
type ReportError = (err: unknown) => void;

const defaultKeptForMs = 60_000;
const everyMs = 2_000;
/** The pause after the vault did not answer, or refused a request. */
const pauseMs = 30_000;

/** Deletes in the background. Every process may do it; a secret is deleted by one process at a time. */
export function createForgetting(options: Options): RunningTask {
  const { asSystem, log } = options;
  const failed = (err: unknown) => log.warn({ err }, 'the external vault still has secrets that were deleted here');

  async function forgetSome(workspaceId: string, stopped: AbortSignal, fail: ReportError): Promise<void> {
    for (let after: string | null = '0'; after !== null && !stopped.aborted;)
      after = await forgetNext(options, { workspaceId, after }, fail); // one after another
  }

  /** Only one error of each round is reported. */
  async function forgetAll(stopped: AbortSignal): Promise<number> {
    let hasFailed = false;
    const fail: ReportError = (err) => {
      if (!hasFailed) failed(err);
      hasFailed = true;
    };
    const workspaceIds = await asSystem((db) => listWorkspacesToForget(db, options));
    for (const workspaceId of workspaceIds) await forgetSome(workspaceId, stopped, fail).catch(fail);
    return hasFailed ? pauseMs : everyMs;
  }

  return createBackground(forgetAll, { everyMs: pauseMs, onError: failed });
}

async function listWorkspacesToForget(db: Db, options: Options): Promise<string[]> {
  const rows = await selectForgettable(db, options).select('workspace_id').distinct().execute();
  return rows.map((row) => row.workspace_id);
}

/** The secrets that no caller can still be opening, by the clock of the database. */
function selectForgettable(db: ForgettingDb, { keptForMs = defaultKeptForMs }: Options) {
  const then = sql<Date>`now() - make_interval(secs => ${keptForMs / 1_000})`;
  return db.selectFrom('secrets_to_forget').where('since', '<=', then);
}

/**
 * Deletes the next secret and returns its id; null when none is left. A secret that the vault refuses to delete stays,
 * and is reported in the next round. Throws when the vault does not answer, because it would not answer for the others
 * either.
 */
async function forgetNext(
  options: Options,
  { workspaceId, after }: { workspaceId: string; after: string },
  fail: ReportError,
): Promise<string | null> {
  const { transactions, vault } = options;
  return transactions.run(workspaceId, 'write', async (db: ForgettingDb) => {
    const forgettable = await selectForgettable(db, options)
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .modifyEnd(sql`for update skip locked`)
      .executeTakeFirst();
    if (!forgettable) return null;
    const place = { workspaceId, table: forgettable.in_table, row: forgettable.in_row, column: forgettable.in_column };
    try {
      await vault.forget(place, forgettable.sealed, { isWhole: forgettable.is_whole });
    } catch (error) {
      if (error instanceof Error && error.cause instanceof EgressError) throw error;
      fail(error);
      return forgettable.id;
    }
    await db.deleteFrom('secrets_to_forget').where('id', '=', forgettable.id).execute();
    return forgettable.id;
  });
}
