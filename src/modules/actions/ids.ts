import { separateItemId, itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { loadViewer } from './approvers/draft-access.ts';
import { locateDelegations } from './store/approvers.ts';
import { locateDrafts } from './store/draft-lists.ts';

export const draftId = itemId('draft').describe('Id of a draft, from `act_on_integration` or `list_pending_actions`.');

export const eachDraftId = separateItemId('draft');

/**
 * A draft is visible to the person whose account would send it, and to their delegates on their screens; they decide
 * about it.
 */
export function createDraftResource({ now }: { now: () => Date }) {
  return defineResource({
    kind: 'draft',
    noun: 'draft',
    locate: async (db, ids, caller) => locateDrafts(db, ids, await loadViewer(db, caller, now())),
  });
}

export const approverId = itemId('approver').describe('Id of a delegation, from `list_approvers`.');

/** A delegation is visible to both people. */
export const approverResource = defineResource({
  kind: 'approver',
  noun: 'approver',
  async locate(db, ids, caller) {
    return (await locateDelegations(db, ids, caller.personId)).map((id) => ({ id, brainId: null }));
  },
});
