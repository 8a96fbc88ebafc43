import { decidersOf, type TellDeciders } from '#modules/actions';
import type { Jobs } from '#platform/jobs';
import type { Windows } from './gathering.ts';
import { choicesOf, insertMail } from './store.ts';

/** The job that mails what a person is to be told. */
export const mailJob = 'mail-drafts';

/** Makes what notes, with a draft, whom to tell of it by mail. Nothing is noted where no mail can be sent. */
export function createTellDeciders({
  jobs,
  windows,
  canMail,
}: {
  jobs: Jobs;
  windows: Windows;
  canMail: boolean;
}): TellDeciders {
  return async (db, draft, { about, at, from }) => {
    if (!canMail) return;
    const { id: draftId, workspace_id: workspaceId } = draft;
    for (const { personId, mail } of await choicesOf(db, await decidersOf(db, draft, at))) {
      // What nobody knows may be known in a moment, and is told once a person can do something about it.
      const due = new Date(Math.max(at.getTime(), from.getTime()) + windows[mail].quietMs);
      const told = { draft_id: draftId, person_id: personId, about, workspace_id: workspaceId };
      if (!(await insertMail(db, { ...told, created_at: at, due_at: due }))) continue;
      await jobs.enqueue(db, mailJob, { workspaceId, personId }, { at: due });
    }
  };
}
