import type { Db } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import { releaseFiles } from '#modules/pages';
import { draftDecided } from './events.ts';
import { expirePending } from './store/open-drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** How many are ended at once; the rest follow a minute later. */
const most = 500;

/**
 * Expires drafts that nobody decided in time; optionally only those of one caller. Each gets a ledger row and an event
 * for its viewers, and its files are released.
 */
export async function expireOverdue(
  { emitEvent, newId }: { emitEvent: EmitEvent; newId: () => string },
  db: Db,
  at: Date,
  draftedBy?: string,
): Promise<void> {
  const expired = await expirePending(db, { draftedBy, most });
  for (const draft of expired) {
    await appendToLedger(db, draft, 'expired', {}, at);
    const event = draftDecided({ draft_id: draft.id, status: 'expired' }, { personId: draft.person_id });
    await emitEvent(db, event, { id: newId(), workspaceId: draft.workspace_id, at });
  }
  await releaseFiles(
    db,
    expired.map(({ id }) => id),
  );
}
