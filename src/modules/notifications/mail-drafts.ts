// Mails a person about drafts. Notices are claimed first, so that a mail that may have been sent is never sent again.
import type { Db } from '#kernel/database';
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
import type { Mail } from '#platform/mail';
import { deliverNotices, type ClaimedMail, type MailDeps, type MailWork } from './deliver-notices.ts';
import { selectRipe } from './gathering.ts';
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
} from './store/draft-mails.ts';
import { mailJob } from './notify-deciders.ts';

/** The job: at most one mail, with all notices that are due. */
export async function sendDraftMail(deps: MailDeps, mail: Mail, work: MailWork): Promise<void> {
  await deliverNotices<MailRow>(deps, mail, work, {
    job: mailJob,
    claim: (db) => claim(deps, db, work),
    async noteSent(db, rows) {
      await noteSent(db, rows, deps.now());
      await addNotifyTarget(db, [...new Set(rows.map(({ draft_id }) => draft_id))], 'mail');
    },
    drop: dropMails,
    release: releaseMails,
  });
}

/**
 * Claims the due notices, and writes the mail. Drops notices of drafts that ended or that this person may no longer
 * decide.
 */
async function claim(mailing: MailDeps, db: Db, { personId }: MailWork): Promise<ClaimedMail<MailRow> | null> {
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
