import type { MicrosoftEmulator } from '#emulators/microsoft/index';
import type { Subject } from './upstream.ts';

const grace = 'grace@example.net';

export function createOutlookMailSubjects(microsoft: MicrosoftEmulator, ada: string): Subject[] {
  const received = (subject: string) => ({
    message_id: microsoft.seedMessage(ada, { from: grace, subject, text: 'Which day?' }).immutableId,
  });
  const unsent = () => microsoft.messages(ada, 'drafts');
  return [
    {
      name: 'outlook_mail send_email',
      handle: 'unsent',
      request: (subject) => ({
        source: 'outlook_mail',
        action_name: 'send_email',
        input: { to: [grace], subject, body: 'Hello' },
      }),
      visible: (subject) => microsoft.sent(ada).filter((mail) => mail.subject === subject).length,
      unsent: (subject) => unsent().filter((mail) => mail.subject === subject).length,
      requests: () => [
        { method: 'POST', path: /\/me\/messages$/ },
        { method: 'POST', path: /\/send$/ },
      ],
    },
    {
      name: 'outlook_mail reply_to_email',
      handle: 'unsent',
      request: (body) => ({
        source: 'outlook_mail',
        action_name: 'reply_to_email',
        input: { ...received('Next week'), body },
      }),
      visible: (body) => microsoft.sent(ada).filter((mail) => mail.content.includes(body)).length,
      unsent: (body) => unsent().filter((mail) => mail.body.content.includes(body)).length,
      requests: () => [
        { method: 'POST', path: /\/createReply$/ },
        { method: 'POST', path: /\/send$/ },
      ],
    },
    {
      name: 'outlook_mail archive_email',
      handle: 'state',
      request: (subject) => ({ source: 'outlook_mail', action_name: 'archive_email', input: received(subject) }),
      visible: (subject) => microsoft.messages(ada, 'archive').filter((mail) => mail.subject === subject).length,
      requests: () => [{ method: 'POST', path: /\/move$/ }],
    },
  ];
}
