import { startGoogleEmulator } from '#emulators/google/index';
import { googleSettings, linkGoogle } from '../../support/google.ts';
import { calendarSubjects } from './calendar.ts';
import { driveSubjects } from './drive.ts';
import { gmailSubjects } from './gmail.ts';
import type { Upstream } from './upstream.ts';

export async function googleUpstream(): Promise<Upstream> {
  const google = await startGoogleEmulator();
  const account = google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  return {
    settings: googleSettings(google),
    failures: google.failures,
    ledger: google.ledger,
    async link(server) {
      await linkGoogle(server, google);
    },
    subjects: [gmailSubjects, calendarSubjects, driveSubjects].flatMap((of) => of(google, account)),
    close: () => google.close(),
  };
}
