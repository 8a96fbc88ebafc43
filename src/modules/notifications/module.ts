import { defineJob, defineModule, runAfterEvents } from '#kernel/module';
import { draftCreated, draftDecided, gateDepsOf } from '#modules/actions';
import { workflowDeadlinePassed } from '#modules/workflows';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { MailWork } from './deliver-notices.ts';
import { notificationsChanged } from './events.ts';
import { buildWindows } from './gathering.ts';
import { deadlineMailJob, notifyTeam, sendDeadlineMail } from './mail-deadlines.ts';
import { sendDraftMail } from './mail-drafts.ts';
import { getNotifications } from './operations/get-notifications.ts';
import { setNotifications } from './operations/set-notifications.ts';
import { deleteOldDeadlineMails } from './store/deadline-mails.ts';
import { deleteFinishedMails } from './store/draft-mails.ts';
import { mailJob, notifyDeciders } from './notify-deciders.ts';

/** Notices are deleted some time after the draft's outcome, or after the deadline. */
const sentMailsKeptMs = 7 * 24 * 60 * 60 * 1000;

/** Notifications of pending drafts and passed deadlines: by mail, as each person chose. */
export const notificationsModule = defineModule<Ground>({
  name: 'notifications',
  events: [notificationsChanged],
  async tidy(db, at) {
    const before = new Date(at.getTime() - sentMailsKeptMs);
    await deleteFinishedMails(db, before);
    await deleteOldDeadlineMails(db, before);
  },
  operations({ mail }) {
    const canMail = mail !== null;
    return [getNotifications({ canMail }), setNotifications({ canMail })];
  },
  work(ground) {
    const { transactions, jobs, mail, log, config } = ground;
    const [gate, windows] = [gateDepsOf(ground), buildWindows(config.mailGatherMs)];
    const mailing = { transactions, jobs, mail, windows, publicUrl: config.publicUrl, log, now, newId };
    return {
      // Without a mail server, open notices stay, and end with their drafts.
      jobs: [
        defineJob<MailWork>(mailJob, async (work) => {
          if (mail) await sendDraftMail(mailing, mail, work);
        }),
        defineJob<MailWork>(deadlineMailJob, async (work) => {
          if (mail) await sendDeadlineMail(mailing, mail, work);
        }),
      ],
      subscribers: mail
        ? [
            runAfterEvents(
              [draftCreated, draftDecided],
              'notifications.tell-deciders',
              ({ draft_id: id }, { workspaceId }) => notifyDeciders({ gate, windows }, workspaceId, id),
            ),
            runAfterEvents([workflowDeadlinePassed], 'notifications.tell-team', (deadline, { workspaceId }) =>
              notifyTeam(mailing, workspaceId, deadline),
            ),
          ]
        : [],
    };
  },
});
