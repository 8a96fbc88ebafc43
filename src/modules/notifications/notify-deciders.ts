// Notes whom to tell of a draft by mail: of one that waits, and of one of which nobody knows what became of it.
import type { Db } from '#kernel/database';
import { listDeciders, findDrafts, computeLastArrival, type DraftRow, type GateDeps } from '#modules/actions';
import type { Windows } from './gathering.ts';
import { listMailChoices, insertMail, type NoticeReason } from './store.ts';

/** The job that mails a person. */
export const mailJob = 'mail-drafts';

type NotifyDeps = { gate: GateDeps; windows: Windows };

/**
 * Has each who may decide about a draft told of it, as they chose, some time after it was drafted, or could have arrived if nobody knows.
 * Nothing is noted of a draft that waits for nobody.
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
      // What nobody knows may be known in a moment, and is told once a person can do something about it.
      const due = new Date(Math.max(at.getTime(), from.getTime()) + windows[mail].quietMs);
      const row = { draft_id: draftId, person_id: personId, about, workspace_id: workspaceId };
      if (!(await insertMail(db, { ...row, created_at: at, due_at: due }))) continue;
      await gate.jobs.enqueue(db, mailJob, { workspaceId, personId }, { at: due });
    }
  }
}
