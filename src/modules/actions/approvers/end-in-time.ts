// A naming ends by its time whoever looks; those who have it on a screen are told then.
import { approverChanged } from '../events.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findNaming } from '../store/approvers.ts';

/** The job that tells that a naming is over. */
export const endJob = 'end-approver';

export type Ending = { workspaceId: string; namingId: string };

/** Tells both that a naming is over, unless it was given more time or was withdrawn before. */
export async function tellEnded(deps: GateDeps, { workspaceId, namingId }: Ending): Promise<void> {
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    const naming = await findNaming(db, namingId);
    const at = deps.now();
    if (!naming?.until || naming.ended_at || naming.until > at) return;
    for (const personId of [naming.person_id, naming.approver_id])
      await deps.tell(db, approverChanged({ approver_id: namingId }, { personId }), {
        id: deps.newId(),
        workspaceId,
        at,
      });
  });
}
