import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient, createGoogleClient } from '#emulators/google/api-client';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { buildGoogleSettings, linkGoogle } from '../../support/google.ts';
import { findFirstPage, runSync, startSync, listPageTitles, type Sync } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

const ada = 'ada@example.com';

let server: WatchedServer;
let google: GoogleEmulator;
beforeAll(async () => {
  google = await startGoogleEmulator();
  server = await startWatchedServer(google, buildGoogleSettings(google));
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
});
afterAll(async () => {
  await server.close();
  await google.close();
});

const sources = ['gmail', 'calendar', 'drive'] as const;
const buildTimeInHours = (hours: number) => ({ dateTime: new Date(Date.now() + hours * 3_600_000).toISOString() });
const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('one Google account with mail, calendar and files is linked, synced, searched, changed, unlinked and revoked', async () => {
  const mail = google.seedMail(ada, { from: 'noah@example.com', subject: 'Gears', text: 'Oil the saffron bearing.' });
  const event = google.seedEvent(ada, {
    summary: 'Walnut tasting',
    start: buildTimeInHours(30),
    end: buildTimeInHours(31),
    location: 'Kiln room',
  });
  const file = google.seedFile(ada, { name: 'Lanterns.md', mimeType: 'text/markdown', content: 'Orchids need shade.' });
  const { connectionId } = await linkGoogle(server, google, { email: ada });
  const { connections } = await server.ok('list_connections');
  expect(connections).toMatchObject([{ connection_id: connectionId, account: ada, status: 'active' }]);

  const inputs = {
    gmail: { query: 'subject:Gears' },
    calendar: { start: formatDay(0), end: formatDay(3) },
    drive: { query: 'Lanterns' },
  };
  for (const source of sources) {
    const read = await server.ok('fetch_from_integration', { source, input: inputs[source] });
    expect(read).toMatchObject({ ingested_count: 1 });
  }
  const home = await server.ok('search', { q: 'saffron bearing' });
  expect((home['pages'] as { title: string }[])[0]?.title).toBe('Gears');

  const [mails, events, files] = [
    await startSync(server, { source: 'gmail' }),
    await startSync(server, { source: 'calendar' }),
    await startSync(server, { source: 'drive' }),
  ] as const;
  for (const sync of [mails, events, files]) expect(sync).toMatchObject({ failure: null, pages_changed: 1 });
  expect(await findFirstPage(server, mails, 'saffron')).toMatchObject({
    type: 'email',
    title: 'Gears',
    origin: 'outside',
  });
  expect(await findFirstPage(server, events, 'kiln room')).toMatchObject({
    type: 'calendar_event',
    title: 'Walnut tasting',
  });
  expect(await findFirstPage(server, files, 'orchids shade')).toMatchObject({ title: 'Lanterns.md' });

  const own = createApiClient(google, ada, [
    'https://mail.google.com/',
    'https://www.googleapis.com/auth/calendar',
    'https://www.googleapis.com/auth/drive',
  ]);
  const inEvents = `/calendar/v3/calendars/primary/events/${event.id}`;
  google.seedMail(ada, { from: ada, subject: 'Re: Gears', text: 'Use turbine oil.', threadId: mail.threadId });
  await own('PATCH', inEvents, { json: { summary: 'Walnut harvest' } });
  await own('PATCH', `/drive/v3/files/${file.id}`, { json: { name: 'Lamps.md' } });
  await expectChanged([mails, events, files]);
  expect(await findFirstPage(server, mails, 'turbine oil')).toMatchObject({ title: 'Gears' });
  expect(await listPageTitles(server, events)).toEqual(['Walnut harvest']);
  expect(await listPageTitles(server, files)).toEqual(['Lamps.md']);

  await own('POST', `/gmail/v1/users/me/threads/${mail.threadId}/trash`);
  await own('DELETE', inEvents);
  await own('PATCH', `/drive/v3/files/${file.id}`, { json: { trashed: true } });
  await expectChanged([mails, events, files]);
  for (const sync of [mails, events, files]) expect(await listPageTitles(server, sync)).toEqual([]);

  const token = (google.ledger.all({ path: /\/changes$/ }).at(-1)?.headers['authorization'] ?? '').replace(
    'Bearer ',
    '',
  );
  const profile = '/gmail/v1/users/me/profile';
  expect((await createGoogleClient(google.url, token)('GET', profile)).status).toBe(200);
  const ended = await server.ok('revoke_connected_account', { connection_id: connectionId });
  expect(ended).toMatchObject({ revoked_at_provider: true, own_page: null });
  expect((await createGoogleClient(google.url, token)('GET', profile)).status).toBe(401);
  google.ledger.clear();
  for (const sync of [mails, events, files])
    expect(await runSync(server, sync)).toMatchObject({
      status: 'failing',
      failure: expect.stringContaining('unlinked'),
    });
  expect(google.ledger.all()).toEqual([]);
});

async function expectChanged(syncs: readonly Sync[]): Promise<void> {
  for (const sync of syncs) expect(await runSync(server, sync)).toMatchObject({ failure: null, pages_changed: 1 });
}

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
