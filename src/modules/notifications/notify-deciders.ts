// Creates notices by mail: about a draft that waits, and about a draft with an unknown outcome.
import type { Db } from '#kernel/database';
import { listDeciders, findDrafts, computeLastArrival, type DraftRow, type GateDeps } from '#modules/actions';
import type { Windows } from './gathering.ts';
import { listMailChoices, insertMail, type NoticeReason } from './store/draft-mails.ts';

/** The job that mails a person. */
export const mailJob = 'mail-drafts';

type NotifyDeps = { gate: GateDeps; windows: Windows };

/**
 * Creates a notice for everybody who may decide about a draft, as they chose. It is due some time after drafting or,
 * for an unknown outcome, once the request can no longer arrive. A draft that waits for nobody gets none.
 */
export async function notifyDeciders(
  { gate, windows }: NotifyDeps,
  workspaceId: string,
  draftId: string,
): Promise<void> {
  await gate.transactions.run(workspaceId, 'write', async (db) => {
    const [draft] = await findDrafts(db, [draftId]);
    if (draft?.status === 'pending' && draft.policy?.effect !== 'allow')
      await note(db, draft, 'waiting', draft.created_at);
    if (draft?.status === 'ambiguous') await note(db, draft, 'ambiguous', computeLastArrival(gate, draft));
  });

  async function note(db: Db, draft: DraftRow, about: NoticeReason, from: Date): Promise<void> {
    const at = gate.now();
    for (const { personId, mail } of await listMailChoices(db, await listDeciders(db, draft, at))) {
      // An unknown outcome may be known in a moment, so people are notified only once they can do something about it.
      const due = new Date(Math.max(at.getTime(), from.getTime()) + windows[mail].quietMs);
      const row = { draft_id: draftId, person_id: personId, about, workspace_id: workspaceId };
      if (!(await insertMail(db, { ...row, created_at: at, due_at: due }))) continue;
      await gate.jobs.enqueue(db, mailJob, { workspaceId, personId }, { at: due });
    }
  }
}
