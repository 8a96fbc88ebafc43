import type { Transactions } from '#kernel/database';
import type { Blobs } from '#platform/blobs';
import { takeUnusedBlobs } from './store.ts';
import { blobKey } from './store-document.ts';

/** Long enough for whoever is storing a document with the same bytes just now. */
const unusedKeptMs = 60 * 60 * 1000;

/** Removes originals that no document refers to. */
export async function removeUnusedBlobs(
  { transactions, blobs, now }: { transactions: Transactions; blobs: Blobs; now: () => Date },
  workspaceId: string,
): Promise<void> {
  const before = new Date(now().getTime() - unusedKeptMs);
  await transactions.run(workspaceId, 'write', async (db) => {
    // Within the transaction: whoever comes with the same bytes meanwhile waits for the row, and puts them again.
    for (const sha256 of await takeUnusedBlobs(db, before)) await blobs.remove(blobKey(workspaceId, sha256));
  });
}
