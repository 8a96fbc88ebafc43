import { startGoogleEmulator } from '#emulators/google/index';
import { buildGoogleSettings, linkGoogle } from '../../support/google.ts';
import { createCalendarSubjects } from './calendar.ts';
import { createDriveSubjects } from './drive.ts';
import { createGmailSubjects } from './gmail.ts';
import type { Upstream } from './upstream.ts';

export async function startGoogleUpstream(): Promise<Upstream> {
  const google = await startGoogleEmulator();
  const account = google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  return {
    settings: buildGoogleSettings(google),
    failures: google.failures,
    ledger: google.ledger,
    async link(server) {
      await linkGoogle(server, google);
    },
    subjects: [createGmailSubjects, createCalendarSubjects, createDriveSubjects].flatMap((of) => of(google, account)),
    close: () => google.close(),
  };
}
