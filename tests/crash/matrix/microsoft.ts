import { startMicrosoftEmulator } from '../../emulators/microsoft/index.ts';
import { linkAccount } from '../../support/linking.ts';
import { settingsOf } from './settings.ts';
import type { Subject, Upstream } from './upstream.ts';

const ada = 'ada@example.com';

export async function microsoftUpstream(): Promise<Upstream> {
  const microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  const subjects: Subject[] = [
    {
      name: 'outlook send_email',
      handle: 'unsent',
      wish: (subject) => ({
        source: 'outlook_mail',
        action_name: 'send_email',
        input: { to: ['grace@example.net'], subject, body: 'Hello' },
      }),
      visible: (subject) => microsoft.sent(ada).filter((mail) => mail.subject === subject).length,
      unsent: (subject) => microsoft.messages(ada, 'drafts').filter((mail) => mail.subject === subject).length,
      requests: () => [
        { method: 'POST', path: /\/me\/messages$/ },
        { method: 'POST', path: /\/send$/ },
      ],
    },
    {
      name: 'outlook create_event',
      handle: 'chosen_id',
      wish: (summary) => ({
        source: 'outlook_calendar',
        action_name: 'create_event',
        input: { summary, start: '2026-06-01T12:00:00+02:00', end: '2026-06-01T13:00:00+02:00' },
      }),
      visible: (summary) => microsoft.events(ada).filter((event) => event.subject === summary).length,
      requests: (summary) => [{ method: 'POST', path: /\/events$/, body: new RegExp(summary) }],
    },
  ];
  return {
    settings: settingsOf('microsoft', microsoft),
    failures: microsoft.failures,
    ledger: microsoft.ledger,
    async link(server) {
      for (const source of ['outlook_mail', 'outlook_calendar'])
        await linkAccount(server, { provider: 'microsoft', source }, (url) => microsoft.approve(url, { email: ada }));
    },
    subjects,
    close: () => microsoft.close(),
  };
}
