import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startIcsEmulator, type FeedHandle, type IcsEmulator } from '#emulators/ics/index';
import { signIn } from '../../support/google.ts';
import { findFirstPage, runSync, startSync, listPageTitles, type Sync } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let ics: IcsEmulator;
let server: WatchedServer;
beforeAll(async () => {
  ics = await startIcsEmulator();
  server = await startWatchedServer(ics, { THALAMUS_EGRESS_ALLOW: ics.url });
});
afterAll(async () => {
  await server.close();
  await ics.close();
});
beforeEach(() => ics.ledger.clear());
const feeds: FeedHandle[] = [];

const dayMs = 86_400_000;
const begun = Math.floor(Date.now() / 1000) * 1000;
const addDays = (days: number) => new Date(begun + days * dayMs);
const formatDayAfter = (days: number) => addDays(days).toISOString().slice(0, 10);
const listStatuses = () => ics.ledger.all().map(({ status }) => status);

/** Links the address of a feed, as a person does it on the page. */
async function link(url: string): Promise<{ connection_id: string; account: string }> {
  const browser = await signIn(server);
  const linked = await browser.ok('connect_with_token', { provider: 'ics', token: url });
  return { connection_id: String(linked['connection_id'] ?? linked['id']), account: String(linked['account']) };
}

async function follow(
  name: string,
  fill: (feed: FeedHandle) => void,
): Promise<{ feed: FeedHandle; sync: Sync; connection_id: string }> {
  const feed = ics.addFeed(name);
  feeds.push(feed);
  fill(feed);
  const { connection_id, account } = await link(feed.url);
  return { feed, sync: await startSync(server, { source: 'ics', account }), connection_id };
}

test('a calendar address is linked, synced, searched, changed, unlinked and deleted', async () => {
  const { feed, sync, connection_id } = await follow('Team', (own) => {
    own.put({
      uid: 'one',
      summary: 'Walnut tasting',
      start: addDays(2),
      end: addDays(2.1),
      location: 'Kiln room',
      description: 'Bring the saffron.',
      organizer: 'grace@example.net',
    });
    own.put({ uid: 'week', summary: 'Standup', start: addDays(1), rrule: 'FREQ=WEEKLY;COUNT=4' });
  });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [], pages_changed: 5 });
  const page = await findFirstPage(server, sync, 'saffron');
  expect(page).toMatchObject({ type: 'calendar_event', title: 'Walnut tasting', origin: 'outside' });
  expect(page?.['frontmatter']).toMatchObject({
    calendar: 'Team',
    location: 'Kiln room',
    organizer: 'grace@example.net',
  });
  const account = `Team (${new URL(ics.url).host})`;
  const input = { start: formatDayAfter(0), end: formatDayAfter(3) };
  const read = await server.ok('fetch_from_integration', { source: 'ics', account, input });
  expect(read).toMatchObject({ ingested_count: 2 }); // into the home brain

  ics.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0, failure: null });
  expect(listStatuses()).toEqual([304]);

  feed.put({ uid: 'one', summary: 'Walnut harvest', start: addDays(3) });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  feed.put({ uid: 'week', summary: 'Standup', start: addDays(1), recurrenceId: addDays(8), cancelled: true });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toEqual(['Standup', 'Standup', 'Standup', 'Walnut harvest']);
  feed.remove('week');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 3 });
  expect(await listPageTitles(server, sync)).toEqual(['Walnut harvest']);

  const ended = await server.ok('revoke_connected_account', { connection_id });
  expect(ended).toMatchObject({ revoked_at_provider: false, message: expect.stringContaining('deleted here') });
  ics.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({
    status: 'failing',
    failure: expect.stringContaining('unlinked'),
  });
  expect(listStatuses()).toEqual([]);
});

test('an address that a refusal repeats is not repeated here', async () => {
  const { feed, sync } = await follow('Secret', (own) => own.put({ uid: 'one', summary: 'Told', start: addDays(1) }));
  const path = new URL(feed.url).pathname;
  ics.failures.next({}, { kind: 'status', status: 403, reason: `No access to ${feed.url} or ${path}` });
  const failed = await runSync(server, sync);
  expect(failed).toMatchObject({ status: 'failing', failure: expect.stringContaining('403') });
  expect(JSON.stringify(failed)).not.toContain(path);
});

test('a file that breaks off, or became another file, deletes nothing here', async () => {
  const { feed, sync } = await follow('Harbour', (own) =>
    own.put({ uid: 'tide', summary: 'High tide', start: addDays(1) }),
  );
  for (const raw of ['', '<html>Sign in</html>', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1']) {
    feed.setRaw(raw);
    expect(await runSync(server, sync)).toMatchObject({
      status: 'failing',
      failure: expect.stringContaining('calendar'),
    });
    expect(await listPageTitles(server, sync)).toEqual(['High tide']);
  }
  feed.setRaw('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:tide\r\nDTSTART:20261340T990000Z\r\nEND:VEVENT\r\nEND:VCALENDAR');
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', errors: [{ item: 'event tide' }] });
  expect(await listPageTitles(server, sync)).toEqual(['High tide']);
  ics.failures.next({}, { kind: 'garbage' });
  feed.setRaw('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n');
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).toEqual(['High tide']);
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toEqual([]);
});

test.each(['dates', 'zone', 'endless', 'line-feeds'])(
  'the readable events of the file %s sync, and the others are reported',
  async (name) => {
    const { account, connection_id } = await link(`${ics.url}/bad/${name}.ics`);
    const brain_id = (await server.ok('create_brain', { name }))['brain_id'];
    const input = { start: '2026-03-01', end: '2026-03-07' };
    const read = await server.ok('fetch_from_integration', { source: 'ics', account, brain_id, input });
    const isGood = name === 'dates' || name === 'line-feeds';
    expect(read).toMatchObject({ ingested_count: isGood ? 1 : 0 });
    expect(Boolean(read['errors'])).toBe(name !== 'line-feeds');
    await server.ok('revoke_connected_account', { connection_id });
  },
);

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks(Object.fromEntries(feeds.map(({ url }) => [`the address ${url}`, url])))).toEqual([]);
});
