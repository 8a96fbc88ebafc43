import type { Transactions } from '#kernel/database';
import type { Round } from '#kernel/module';
import type { Blobs } from '#platform/blobs';
import { queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import { takeUnusedBlobs } from './store.ts';
import { buildBlobKey } from './store-document.ts';

/** Long enough for a concurrent upload of the same bytes. */
const unusedKeptMs = 60 * 60 * 1000;

type Deps = { transactions: Transactions; blobs: Blobs; now: () => Date };

const computeKeptSince = ({ now }: Pick<Deps, 'now'>) => new Date(now().getTime() - unusedKeptMs);

/** Once a minute: removes originals that no document refers to. */
export function createUnusedBlobsRound(deps: Deps): Round {
  return {
    name: 'documents.blobs',
    findWorkspaces: (db) => queryWorkspaceIds(db, sql`workspaces_with_unused_blobs(${computeKeptSince(deps)})`),
    run: (workspaceId) => removeUnusedBlobs(deps, workspaceId),
  };
}

/** Removes originals that no document of a workspace refers to. */
async function removeUnusedBlobs(deps: Deps, workspaceId: string): Promise<void> {
  const { transactions, blobs } = deps;
  const before = computeKeptSince(deps);
  await transactions.run(workspaceId, 'write', async (db) => {
    // Within the transaction: a concurrent upload of the same bytes waits for the row, and then stores them again.
    for (const sha256 of await takeUnusedBlobs(db, before)) await blobs.remove(buildBlobKey(workspaceId, sha256));
  });
}
