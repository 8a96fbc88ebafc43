import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateDrafts } from './store/drafts.ts';

export const draftId = idOf('draft').describe('Id of a draft, from `act_on_integration` or `list_pending_actions`.');

/** A draft is seen and decided by the person whose account would send. */
export const draftResource = defineResource({
  kind: 'draft',
  noun: 'draft',
  locate: (db, ids, caller) => locateDrafts(db, ids, caller.personId),
});
