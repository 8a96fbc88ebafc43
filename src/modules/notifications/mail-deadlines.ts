// Mails people about deadlines of their workflows that passed.
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import { listDeadlinePeople, listLateDeadlines, type LateDeadline } from '#modules/workflows';
import type { Mail } from '#platform/mail';
import { deliverNotices, type ClaimedMail, type MailDeps, type MailWork } from './deliver-notices.ts';
import { buildDeadlineMail } from './format-deadline-mail.ts';
import {
  claimDeadlineMails,
  dropDeadlineMails,
  insertDeadlineMail,
  lockDeadlineMails,
  noteDeadlineMailsSent,
  releaseDeadlineMails,
  type DeadlineMailRow,
} from './store/deadline-mails.ts';
import { findChoice, listMailChoices } from './store/draft-mails.ts';

/** The job that mails a person about deadlines. */
export const deadlineMailJob = 'mail-deadlines';

type PassedDeadline = { workflow_id: string; name: string; due: string };

/** Creates a notice for the owner and the team of a workflow, as they chose. Deadlines that pass together share a mail. */
export async function notifyTeam(
  { transactions, jobs, windows, now }: Pick<MailDeps, 'transactions' | 'jobs' | 'windows' | 'now'>,
  workspaceId: string,
  { workflow_id, name, due }: PassedDeadline,
): Promise<void> {
  await transactions.run(workspaceId, 'write', async (db) => {
    const people = await listDeadlinePeople(db, workflow_id);
    if (!people.length) return;
    for (const { personId, mail } of await listMailChoices(db, people)) {
      const at = now();
      const due_at = new Date(at.getTime() + windows[mail].quietMs);
      const row = { workflow_id, name, due, person_id: personId, workspace_id: workspaceId };
      if (!(await insertDeadlineMail(db, { ...row, created_at: at, due_at }))) continue;
      await jobs.enqueue(db, deadlineMailJob, { workspaceId, personId }, { at: due_at });
    }
  });
}

/** The job: at most one mail, with all deadlines that are still late. */
export async function sendDeadlineMail(deps: MailDeps, mail: Mail, work: MailWork): Promise<void> {
  await deliverNotices<DeadlineMailRow>(deps, mail, work, {
    job: deadlineMailJob,
    claim: (db) => claim(deps, db, work),
    noteSent: (db, rows) => noteDeadlineMailsSent(db, rows, deps.now()),
    drop: dropDeadlineMails,
    release: releaseDeadlineMails,
  });
}

/** Claims the notices, and writes the mail. Drops those of deadlines that were met or moved meanwhile. */
async function claim(
  { now, publicUrl }: MailDeps,
  db: Db,
  { personId }: MailWork,
): Promise<ClaimedMail<DeadlineMailRow> | null> {
  const at = now();
  const open = await lockDeadlineMails(db, personId);
  const person = await findPerson(db, personId);
  const isWanted = person !== undefined && (await findChoice(db, personId)) !== 'off';
  const late = isWanted ? await listLateDeadlines(db, personId, open, at) : [];
  const rows = open.filter((row) => late.some((deadline) => isSame(deadline, row)));
  await dropDeadlineMails(
    db,
    open.filter((row) => !rows.includes(row)),
  );
  if (!rows.length || !person) return null;
  await claimDeadlineMails(db, rows, at);
  return { rows, message: { to: person.email, ...buildDeadlineMail(late, { publicUrl, email: person.email }) } };
}

function isSame(one: LateDeadline, other: DeadlineMailRow): boolean {
  return one.workflow_id === other.workflow_id && one.name === other.name && one.due === other.due;
}
