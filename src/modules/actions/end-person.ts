import type { Db } from '#kernel/database';
import { endDelegationsOfPerson } from './store/approvers.ts';
import { expirePersonDrafts } from './store/open-drafts.ts';

/** Ends a person's delegations and expires their pending drafts. */
export async function endActionsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await endDelegationsOfPerson(db, personId, at);
  await expirePersonDrafts(db, personId);
}
