// Has the external vault forget what is gone here: read from a table that fills itself, in the transaction that removes a secret.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import { EgressError } from '#platform/egress';
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
  /** How long a secret stays after it was removed: whoever read its reference just before still has to open it. A minute. */
  keptForMs?: number;
};

type Gone = {
  id: string;
  workspace_id: string;
  in_table: string;
  in_row: string;
  in_column: string;
  sealed: string;
  is_whole: boolean;
  since: Date;
};
type Bound = Kysely<{ secrets_to_forget: Gone }>;

/** Told of what could not be forgotten. */
type Fail = (err: unknown) => void;

const defaultKeptForMs = 60_000;
const everyMs = 2_000;
/** So long a vault that did not answer, or refused something, is left alone. */
const pauseMs = 30_000;

export function createForgetting(options: Options): Forgetting {
  const { asSystem, log } = options;
  const stopped = new AbortController();
  let forgetting: Promise<void> = Promise.resolve();

  const listWorkspaces = (db: Db) => workspacesWithGone(db, options);

  async function forgetAll(fail: Fail): Promise<void> {
    for (const workspaceId of await asSystem(listWorkspaces)) await forgetIn(workspaceId, fail).catch(fail);
  }

  async function forgetIn(workspaceId: string, fail: Fail): Promise<void> {
    for (let after: string | null = '0'; after !== null && !stopped.signal.aborted;)
      after = await forgetNext(options, { workspaceId, after }, fail); // one after the other
  }

  async function keepForgetting(): Promise<void> {
    while (!stopped.signal.aborted) {
      const round = { hasFailed: false };
      await forgetAll(fail).catch(fail);
      await sleep(round.hasFailed ? pauseMs : everyMs, undefined, { signal: stopped.signal }).catch(() => {});

      function fail(err: unknown): void {
        if (!round.hasFailed) log.warn({ err }, 'the external vault still keeps secrets that are gone here');
        round.hasFailed = true;
      }
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

async function workspacesWithGone(db: Db, options: Options): Promise<string[]> {
  const rows = await longGone(db, options).select('workspace_id').distinct().execute();
  return rows.map((row) => row.workspace_id);
}

/** Those that nobody can be opening any more, by the clock of the database. */
function longGone(db: Bound, { keptForMs = defaultKeptForMs }: Options) {
  const then = sql<Date>`now() - make_interval(secs => ${keptForMs / 1_000})`;
  return db.selectFrom('secrets_to_forget').where('since', '<=', then);
}

/**
 * Has the next secret forgotten, and answers its id; null when none is left. What the vault refuses stays, and is told in the next
 * round. Throws when the vault does not answer, since it would not for the others either.
 */
async function forgetNext(
  options: Options,
  { workspaceId, after }: { workspaceId: string; after: string },
  fail: Fail,
): Promise<string | null> {
  const { transactions, vault } = options;
  return transactions.run(workspaceId, 'write', async (db: Bound) => {
    const gone = await longGone(db, options)
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .modifyEnd(sql`for update skip locked`)
      .executeTakeFirst();
    if (!gone) return null;
    const place = { workspaceId, table: gone.in_table, row: gone.in_row, column: gone.in_column };
    try {
      await vault.forget(place, gone.sealed, { isWhole: gone.is_whole });
    } catch (error) {
      if (error instanceof Error && error.cause instanceof EgressError) throw error;
      fail(error);
      return gone.id;
    }
    await db.deleteFrom('secrets_to_forget').where('id', '=', gone.id).execute();
    return gone.id;
  });
}
