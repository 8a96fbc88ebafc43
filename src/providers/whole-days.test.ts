import { startGoogleEmulator } from '#emulators/google/index';
import { startIcsEmulator } from '#emulators/ics/index';
import { startMicrosoftEmulator } from '#emulators/microsoft/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkGoogle, signIn } from '../../tests/support/google.ts';
import { linkAccount } from '../../tests/support/linking.ts';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';
import { startSync, type Sync } from '../../tests/support/syncs.ts';

const ada = 'ada@example.com';
const offset = '-11:00';
const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const [before, on, after, later] = [formatDay(19), formatDay(20), formatDay(21), formatDay(23)];

let server: TestServer;
let close: () => Promise<unknown>;
const syncs: Record<string, Sync> = {};
beforeAll(async () => {
  const [google, microsoft, ics] = await Promise.all([
    startGoogleEmulator(),
    startMicrosoftEmulator(),
    startIcsEmulator(),
  ]);
  server = await startTestServer({
    THALAMUS_GOOGLE_BASE_URL: google.url,
    THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
    THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    THALAMUS_EGRESS_ALLOW: ics.url,
  });
  close = () => Promise.all([server.close(), google.close(), microsoft.close(), ics.close()]);

  google.addAccount({ email: ada, name: 'Ada', timeZone: 'Pacific/Pago_Pago' });
  google.seedEvent(ada, { summary: 'Regatta', start: on, end: after });
  google.seedEvent(ada, { summary: 'Fair', start: after, end: later });
  await linkGoogle(server, google);
  syncs['calendar'] = await startSync(server, { source: 'calendar' });

  microsoft.addAccount({ email: ada, name: 'Ada' });
  const midnight = (of: string) => ({ dateTime: `${of}T00:00:00.0000000`, timeZone: 'UTC' });
  microsoft.seedEvent(ada, { subject: 'Regatta', start: midnight(on), end: midnight(after), isAllDay: true });
  microsoft.seedEvent(ada, { subject: 'Fair', start: midnight(after), end: midnight(later), isAllDay: true });
  await linkAccount(server, { provider: 'microsoft', source: 'outlook_calendar' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
  syncs['outlook_calendar'] = await startSync(server, { source: 'outlook_calendar' });

  const feed = ics.addFeed('Club');
  feed.put({ uid: 'r', summary: 'Regatta', start: { day: on } });
  feed.put({ uid: 'f', summary: 'Fair', start: { day: after }, end: { day: later } });
  const browser = await signIn(server);
  await browser.ok('connect_with_token', { provider: 'ics', token: feed.url });
  syncs['ics'] = await startSync(server, { source: 'ics' });
}, 60_000);
afterAll(() => close());

describe.each(['calendar', 'outlook_calendar', 'ics'])('an all-day event of %s', (source) => {
  const listed = async (start: string, end: string) => {
    const input = {
      start: `${start}T00:00:00${offset}`,
      end: `${end}T00:00:00${offset}`,
      brain_id: getBrainId(source),
    };
    return (await server.ok('list_calendar_events', input)).events;
  };

  test('is found on its days and on no other day, for queries west of Greenwich', async () => {
    const titles = async (start: string, end: string) => (await listed(start, end)).map(({ title }) => title);
    expect(await titles(before, on)).toEqual([]);
    expect(await titles(on, after)).toEqual(['Regatta']);
    expect(await titles(after, formatDay(22))).toEqual(['Fair']);
    expect(await titles(formatDay(22), later)).toEqual(['Fair']);
    expect(await titles(later, formatDay(24))).toEqual([]);
  });

  test('is shown as dates', async () => {
    expect(await listed(on, after)).toMatchObject([{ start: on, end: after, all_day: true }]);
    const { pages } = await server.ok('query', { brain_id: getBrainId(source), type: 'calendar_event' });
    const page = await server.ok('get_page', { id: pages.find(({ title }) => title === 'Fair')?.id });
    expect(page.body).toContain(`When: ${after} to ${formatDay(22)}, all day`);
    expect(page.frontmatter).toMatchObject({ start: after, end: later, all_day: true });
  });
});

function getBrainId(source: string): string {
  return syncs[source]!.brain_id;
}

test('fetching one day from a calendar address returns only the all-day events of that day', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'One day' });
  const input = { start: on, end: on, time_zone: 'Pacific/Pago_Pago' };
  await server.ok('fetch_from_integration', { source: 'ics', brain_id, input });
  const { pages } = await server.ok('list_pages', { brain_id });
  expect(pages.map(({ title }) => title)).toEqual(['Regatta']);
});
