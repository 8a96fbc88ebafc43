// Mails a person about drafts. Notices are claimed first, so that a mail that may have been sent is never sent again.
import { classifyDelivery } from '#kernel/action';
import type { Db, Transactions } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import {
  addNotifyTarget,
  findDrafts,
  findOwnerName,
  canViewerSee,
  loadPersonViewer,
  type DraftRow,
  type Viewer,
} from '#modules/actions';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import { MailError, type Mail } from '#platform/mail';
import { isGivenUp, computeNextMailAttempt, selectRipe, type Windows } from './gathering.ts';
import { buildDraftMail, type MailedDraft } from './format-mail.ts';
import {
  claimMails,
  dropMails,
  findChoice,
  lockPersonMails,
  noteSent,
  openMails,
  releaseMails,
  type MailRow,
} from './store.ts';
import { mailJob } from './notify-deciders.ts';

export type MailDeps = {
  transactions: Transactions;
  jobs: Jobs;
  mail: Mail | null;
  windows: Windows;
  publicUrl: string;
  log: Log;
  now: () => Date;
  newId: () => string;
};

type Work = { workspaceId: string; personId: string };
type ClaimedMail = { rows: readonly MailRow[]; message: Parameters<Mail['send']>[0] };

/** The job: at most one mail, with all notices that are due. */
export async function sendDraftMail(mailing: MailDeps, mail: Mail, work: Work): Promise<void> {
  const { transactions, log } = mailing;
  const { workspaceId } = work;
  const claimed = await transactions.run(workspaceId, 'write', (db) => claim(mailing, db, work));
  if (!claimed) return;
  const { rows, message } = claimed;
  try {
    await mail.send(message);
  } catch (err) {
    const delivery = classifyDelivery(err);
    log.warn({ err, delivery, drafts: rows.length }, 'a mail about drafts could not be sent');
    if (delivery === 'not_sent')
      await releaseUnsentMails(mailing, work, claimed, err instanceof MailError && err.isForGood);
    return;
  }
  await transactions.run(workspaceId, 'write', async (db) => {
    await noteSent(db, rows, mailing.now());
    await addNotifyTarget(db, [...new Set(rows.map(({ draft_id }) => draft_id))], 'mail');
  });
  log.debug({ drafts: rows.length }, 'a mail about drafts was sent');
}

/**
 * Claims the due notices, and writes the mail. Drops notices of drafts that ended or that this person may no longer
 * decide.
 */
async function claim(mailing: MailDeps, db: Db, { personId }: Work): Promise<ClaimedMail | null> {
  const at = mailing.now();
  await lockPersonMails(db, personId);
  const rows = await openMails(db, personId);
  const person = await findPerson(db, personId);
  const choice = await findChoice(db, personId);
  if (!rows.length) return null;
  const drafts = new Map(
    (
      await findDrafts(
        db,
        rows.map(({ draft_id }) => draft_id),
      )
    ).map((draft) => [draft.id, draft]),
  );
  const viewer = await loadPersonViewer(db, personId, at);
  const isOpen = (row: MailRow) => isStillSo(viewer, drafts.get(row.draft_id), row, at);
  const open = choice === 'off' || !person ? [] : rows.filter(isOpen);
  await dropMails(
    db,
    rows.filter((row) => !open.includes(row)),
  );
  const now = choice === 'off' ? [] : selectRipe(open, mailing.windows[choice], at);
  if (!now.length || !person) return null;
  await claimMails(db, now, at);
  const mailed = now.flatMap(({ draft_id, about }): MailedDraft[] => {
    const draft = drafts.get(draft_id);
    return draft ? [{ draft, about, owner: findOwnerName(viewer, draft) }] : [];
  });
  const { publicUrl } = mailing;
  const { email } = person;
  return { rows: now, message: { to: email, ...buildDraftMail(mailed, { publicUrl, email }) } };
}

/** Whether a draft still has the state of the notice, and the person may decide about it. */
function isStillSo(viewer: Viewer, draft: DraftRow | undefined, { about }: MailRow, at: Date): boolean {
  if (!draft || !canViewerSee(viewer, draft)) return false;
  return about === 'waiting' ? draft.status === 'pending' && draft.expires_at > at : draft.status === 'ambiguous';
}

/**
 * No server accepted the mail: it is sent later, unless it was refused permanently, was tried long enough, or its
 * drafts have ended by then.
 */
async function releaseUnsentMails(
  mailing: MailDeps,
  work: Work,
  { rows }: ClaimedMail,
  isForGood: boolean,
): Promise<void> {
  const { transactions, jobs, now } = mailing;
  const given = rows.filter((row) => isForGood || isGivenUp(row, now()));
  const kept = rows.filter((row) => !given.includes(row));
  const due = computeNextMailAttempt(Math.max(...kept.map(({ attempts }) => attempts)), now());
  await transactions.run(work.workspaceId, 'write', async (db) => {
    await dropMails(db, given);
    if (!kept.length) return;
    await releaseMails(db, kept, due);
    await jobs.enqueue(db, mailJob, work, { at: due });
  });
}
