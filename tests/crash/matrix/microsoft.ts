import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { linkAccount } from '../../support/linking.ts';
import { createOutlookEventSubjects } from './outlook-calendar.ts';
import { createOutlookMailSubjects } from './outlook-mail.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Upstream } from './upstream.ts';

const ada = 'ada@example.com';

export async function startMicrosoftUpstream(): Promise<Upstream> {
  const microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  return {
    settings: buildOauthSettings('microsoft', microsoft),
    failures: microsoft.failures,
    ledger: microsoft.ledger,
    async link(server) {
      for (const source of ['outlook_mail', 'outlook_calendar'])
        await linkAccount(server, { provider: 'microsoft', source }, (url) => microsoft.approve(url, { email: ada }));
    },
    subjects: [...createOutlookMailSubjects(microsoft, ada), ...createOutlookEventSubjects(microsoft, ada)],
    close: () => microsoft.close(),
  };
}
