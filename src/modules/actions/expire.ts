import type { Db } from '#kernel/database';
import { expirePending } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** Ends the drafts that nobody decided in time, each with its row in the ledger. */
export async function expireOverdue(db: Db, at: Date): Promise<void> {
  for (const draft of await expirePending(db, at)) await appendToLedger(db, draft, 'expired', {}, at);
}
