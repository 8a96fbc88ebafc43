import { defineJob, defineModule, runAfterEvents } from '#kernel/module';
import { draftCreated, draftDecided, gateDepsOf } from '#modules/actions';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { notificationsChanged } from './events.ts';
import { buildWindows } from './gathering.ts';
import { sendDraftMail } from './mail-drafts.ts';
import { getNotifications } from './operations/get-notifications.ts';
import { setNotifications } from './operations/set-notifications.ts';
import { deleteFinishedMails } from './store.ts';
import { mailJob, notifyDeciders } from './notify-deciders.ts';

/** The recipients of mails about a draft are deleted some time after the draft's outcome. */
const sentMailsKeptMs = 7 * 24 * 60 * 60 * 1000;

/** Notifications of pending drafts: by mail, as each person chose. */
export const notificationsModule = defineModule<Ground>({
  name: 'notifications',
  events: [notificationsChanged],
  tidy: (db, at) => deleteFinishedMails(db, new Date(at.getTime() - sentMailsKeptMs)),
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
        defineJob<{ workspaceId: string; personId: string }>(mailJob, async (work) => {
          if (mail) await sendDraftMail(mailing, mail, work);
        }),
      ],
      subscribers: mail
        ? [
            runAfterEvents(
              [draftCreated, draftDecided],
              'notifications.tell-deciders',
              ({ draft_id: id }, { workspaceId }) => notifyDeciders({ gate, windows }, workspaceId, id),
            ),
          ]
        : [],
    };
  },
});
