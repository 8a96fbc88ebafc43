import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { linkAccount } from '../../support/linking.ts';
import { outlookCalendarSubjects } from './outlook-calendar.ts';
import { outlookMailSubjects } from './outlook-mail.ts';
import { settingsOf } from '#emulators/settings';
import type { Upstream } from './upstream.ts';

const ada = 'ada@example.com';

export async function microsoftUpstream(): Promise<Upstream> {
  const microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  return {
    settings: settingsOf('microsoft', microsoft),
    failures: microsoft.failures,
    ledger: microsoft.ledger,
    async link(server) {
      for (const source of ['outlook_mail', 'outlook_calendar'])
        await linkAccount(server, { provider: 'microsoft', source }, (url) => microsoft.approve(url, { email: ada }));
    },
    subjects: [...outlookMailSubjects(microsoft, ada), ...outlookCalendarSubjects(microsoft, ada)],
    close: () => microsoft.close(),
  };
}
