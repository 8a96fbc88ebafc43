import type { Account, GoogleEmulator } from '#emulators/google/index';
import type { Subject } from './upstream.ts';

export function createGmailSubjects(google: GoogleEmulator, { email, mailbox }: Account): Subject[] {
  const threads = new Map<string, string>();
  /** A thread that is changed by its id, without the marker. `isDone` checks the labels of its only mail. */
  function onThread(
    action_name: string,
    isDone: (labels: readonly string[]) => boolean,
    { input = {}, path = 'modify', ...more }: { input?: object; path?: string } & Pick<Subject, 'edits'> = {},
  ): Subject {
    return {
      ...more,
      name: `gmail ${action_name}`,
      handle: 'state',
      request(marker) {
        const [mail] = google.seedThread(email, [{ from: 'grace@example.net', subject: marker, text: 'One.' }]);
        threads.set(marker, mail?.threadId ?? '');
        return { source: 'gmail', action_name, input: { thread_id: mail?.threadId, ...input } };
      },
      visible(marker) {
        const mails = [...mailbox.messages.values()].filter(({ threadId }) => threadId === threads.get(marker));
        return mails.filter(({ labelIds }) => isDone(labelIds)).length;
      },
      requests: (marker) => [{ method: 'POST', path: new RegExp(`/threads/${threads.get(marker)}/${path}$`) }],
    };
  }

  return [
    {
      name: 'gmail send_email',
      handle: 'unsent',
      request: (subject) => ({
        source: 'gmail',
        action_name: 'send_email',
        input: { to: ['noah@example.com'], subject, body: 'Hello' },
      }),
      visible: (subject) => google.ledger.sent().filter((each) => each.subject === subject).length,
      requests: () => [
        { method: 'POST', path: /\/drafts$/ },
        { method: 'POST', path: /\/drafts\/send$/ },
      ],
    },
    onThread('label_thread', (labels) => labels.includes('STARRED') || labels.includes('IMPORTANT'), {
      input: { add: ['STARRED'] },
      edits: { add: ['IMPORTANT'] },
    }),
    onThread('archive_thread', (labels) => !labels.includes('INBOX')),
    onThread('mark_as_read', (labels) => !labels.includes('UNREAD')),
    onThread('trash_thread', (labels) => labels.includes('TRASH'), { path: 'trash' }),
  ];
}
