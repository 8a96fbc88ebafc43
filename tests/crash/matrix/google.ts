import { startGoogleEmulator } from '../../emulators/google/index.ts';
import { googleSettings, linkGoogle } from '../../support/google.ts';
import type { Subject, Upstream } from './upstream.ts';

const email = 'ada@example.com';

export async function googleUpstream(): Promise<Upstream> {
  const google = await startGoogleEmulator();
  google.addAccount({ email, name: 'Ada' });
  const scopes = ['calendar', 'drive'].map((name) => `https://www.googleapis.com/auth/${name}`);

  async function found(path: string, list: string): Promise<number> {
    const { accessToken } = google.issueTokens(email, scopes);
    const answer = await fetch(`${google.url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
    const body = (await answer.json()) as Record<string, unknown[]>; // a list, by the API
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body[list]?.length ?? 0;
  }

  const subjects: Subject[] = [
    {
      name: 'gmail send_email',
      handle: 'unsent',
      wish: (subject) => ({
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
    {
      name: 'calendar create_event',
      handle: 'chosen_id',
      wish: (summary) => ({
        source: 'calendar',
        action_name: 'create_event',
        input: { summary, start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' },
      }),
      visible: (summary) => found(`/calendar/v3/calendars/primary/events?q=${encodeURIComponent(summary)}`, 'items'),
      requests: (summary) => [{ method: 'POST', path: /\/events$/, body: new RegExp(summary) }],
    },
    {
      name: 'drive create_file',
      handle: 'chosen_id',
      wish: (name) => ({ source: 'drive', action_name: 'create_file', input: { name, content: 'text' } }),
      visible: (name) =>
        found(`/drive/v3/files?q=${encodeURIComponent(`name = '${name}' and trashed = false`)}`, 'files'),
      requests: (name) => [
        { method: 'GET', path: /\/generateIds$/ },
        { method: 'POST', path: /\/upload\/drive/, body: new RegExp(name) },
      ],
    },
  ];
  return {
    settings: googleSettings(google),
    failures: google.failures,
    ledger: google.ledger,
    async link(server) {
      await linkGoogle(server, google);
    },
    subjects,
    close: () => google.close(),
  };
}
