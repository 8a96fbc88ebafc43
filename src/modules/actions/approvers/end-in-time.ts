// Ends delegations when they expire, and notifies both people on their screens.
import { approverChanged } from '../events.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDelegation } from '../store/approvers.ts';

/** The job that reports the end of a delegation. */
export const endJob = 'end-approver';

export type DelegationEnd = { workspaceId: string; namingId: string };

/** Notifies both people that a delegation has ended, unless it was extended or withdrawn before. */
export async function notifyDelegationEnd(deps: GateDeps, { workspaceId, namingId }: DelegationEnd): Promise<void> {
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    const delegation = await findDelegation(db, namingId);
    const at = deps.now();
    if (!delegation?.until || delegation.ended_at || delegation.until > at) return;
    for (const personId of [delegation.person_id, delegation.approver_id])
      await deps.emitEvent(db, approverChanged({ approver_id: namingId }, { personId }), {
        id: deps.newId(),
        workspaceId,
        at,
      });
  });
}
