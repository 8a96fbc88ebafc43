import type { Db } from '#kernel/database';
import { endDelegationsOfPerson } from './store/approvers.ts';
import { expireDraftsOf } from './store/open-drafts.ts';

/** Ends a person's delegations and expires their pending drafts. */
export async function endActionsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await endDelegationsOfPerson(db, personId, at);
  await expireDraftsOf(db, personId);
}
