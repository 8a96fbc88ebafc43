// Seals new rows of every workspace's ledger once a second, without delaying their writers.
import type { Db, Transactions } from '#kernel/database';
import type { Background } from '#kernel/module';
import { createBackground } from '#platform/background';
import type { Log } from '#platform/log';
import type { Vault } from '#platform/vault';
import { insertSeal, findLastSeal, maySeal, putUnderSeal, listUnsealedWorkspaces } from '../store/seals.ts';
import { openOrMakeKey } from './key.ts';
import { beforeAll, computeMac, computeRoot } from './seal.ts';

type Options = {
  transactions: Transactions;
  vault: Vault;
  log: Log;
  now: () => Date;
  /** Work of the server itself, over all workspaces. */
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

const everyMs = 1_000;
/** The number of rows under one seal. */
const mostRows = 5_000;

/** Seals in the background. Every process may do it; a workspace is sealed by one process at a time. */
export function createSealing(options: Options): Background {
  return createBackground(
    {
      workspaces: () => options.asSystem(listUnsealedWorkspaces),
      perWorkspace: (workspaceId) => sealWorkspace(options, workspaceId),
    },
    {
      everyMs,
      onError: (err, workspace_id) => options.log.warn({ err, workspace_id }, 'the ledger could not be sealed'),
    },
  );
}

/** Seals the new rows. Rows of running transactions wait for the next seal. */
async function sealWorkspace({ transactions, vault, now }: Options, workspaceId: string): Promise<void> {
  await transactions.run(workspaceId, 'write', async (db) => {
    if (!(await maySeal(db, workspaceId))) return;
    const key = await openOrMakeKey(vault, db, workspaceId);
    const last = await findLastSeal(db);
    const seal = (last?.seal ?? 0) + 1;
    const rows = await putUnderSeal(db, seal, mostRows);
    if (rows.length === 0) return;
    const previous_mac = last?.mac ?? beforeAll;
    const row = {
      workspace_id: workspaceId,
      seal,
      at: now(),
      rows: rows.length,
      root: computeRoot(rows),
      previous_mac,
    };
    await insertSeal(db, { ...row, mac: computeMac(key, row) });
  });
}
