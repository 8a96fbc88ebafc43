import { windowsOf } from './gathering.ts';
import { mailDrafts, type Mailing } from './mail-drafts.ts';
import { getNotifications } from './operations/get-notifications.ts';
import { setNotifications } from './operations/set-notifications.ts';
import { createTellDeciders, mailJob } from './tell-deciders.ts';

export { dropMailsOfSettled } from './store.ts';
export { createTellDeciders, windowsOf };

/** What callers can do about how they are told. */
export function notificationOperations({ canMail }: { canMail: boolean }) {
  return [getNotifications({ canMail }), setNotifications({ canMail })];
}

/** The job that mails. Where no mail can be sent any more, what is to be told stays, and is over with its drafts. */
export function defineNotificationJobs(mailing: Mailing): void {
  const { mail } = mailing;
  mailing.jobs.define<{ workspaceId: string; personId: string }>(mailJob, async (work) => {
    if (mail) await mailDrafts(mailing, mail, work);
  });
}
