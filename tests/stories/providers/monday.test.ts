import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMondayEmulator, type MondayEmulator } from '#emulators/monday/index';
import { signIn } from '../../support/google.ts';
import { linkAccount } from '../../support/linking.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let monday: MondayEmulator;
let server: WatchedServer;
let time = Date.parse('2026-03-02T09:00:00Z');
beforeAll(async () => {
  // Monday's times are whole seconds.
  monday = await startMondayEmulator({ newOauth: true, now: () => new Date((time += 1000)) });
  server = await startWatchedServer(monday, {
    THALAMUS_MONDAY_BASE_URL: monday.url,
    THALAMUS_MONDAY_CLIENT_ID: monday.client.id,
    THALAMUS_MONDAY_CLIENT_SECRET: monday.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await monday.close();
});

const columns = [
  { id: 'status', title: 'State', type: 'status' as const, labels: ['Stuck', 'Done'] },
  { id: 'owner', title: 'Owner', type: 'text' as const },
];
const listRequests = () => monday.ledger.all({ path: '/v2' });

test('a Monday account is linked, synced, searched, changed, unlinked and revoked', async () => {
  monday.addUser({ name: 'Ada' });
  const board = monday.addBoard({ name: 'Engine', columns });
  const item = monday.seedItem(board.id, { name: 'Gears slip', by: 'Ada', values: { status: 'Stuck' } });
  monday.seedUpdate(item.id, { by: 'Ada', body: '<p>Oil the saffron bearing.</p>' });
  for (let number = 0; number < 70; number += 1) monday.seedItem(board.id, { name: `Task ${number}`, by: 'Ada' });
  const attic = monday.addBoard({ name: 'Attic', columns });
  monday.seedItem(attic.id, { name: 'Old lathe', by: 'Ada' });
  const connectionId = await linkAccount(server, { provider: 'monday', source: 'monday' }, (url) =>
    monday.approve(url, { user: 'Ada' }),
  );

  const read = await server.ok('fetch_from_integration', {
    source: 'monday',
    input: { since: '2026-01-01', limit: 5 },
  });
  expect(read).toMatchObject({ ingested_count: 5 });
  const sync = await startSync(server, { source: 'monday', days: null });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 72, errors: [] });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'board_item', title: 'Gears slip', author: 'Ada', origin: 'outside' });
  expect(page?.['body']).toContain('State: Stuck');
  expect(page?.['body']).not.toContain('Owner');
  expect(page?.['frontmatter']).toMatchObject({ board: 'Engine' });

  monday.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0, errors: [] });
  expect(listRequests()).toHaveLength(5); // the boards, and of each what is newest and what is there

  monday.touchItem(item.id, { name: 'Gears slipped', values: { status: 'Done' } });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect((await findFirstPage(server, sync, 'saffron bearing'))?.['body']).toContain('State: Done');

  monday.touchItem(item.id, { state: 'archived' });
  Object.assign(attic, { state: 'archived' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2, errors: [] });
  const titles = await listPageTitles(server, sync);
  expect(titles).toHaveLength(70);
  expect(titles).not.toContain('Gears slipped');

  const token = listRequests().at(-1)?.headers['authorization'] ?? '';
  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const after = await fetch(`${monday.url}/v2`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ me { id } }' }),
  });
  expect(after.status).toBe(401);
});

test.each([
  ['continues where it was', 0, 1],
  ['starts again when its cursor has expired', 4_000_000, 2],
])('a sync that was broken off %s', async (_what, laterMs, firstPages) => {
  const { id: grace } = monday.addUser({ name: 'Grace' });
  const board = monday.addBoard({ name: `Broken ${laterMs}`, columns, private: true, members: [grace] });
  for (let number = 0; number < 70; number += 1) monday.seedItem(board.id, { name: `Part ${number}`, by: grace });
  const token = monday.personalToken(grace);
  const browser = await signIn(server);
  const { connection_id } = await browser.ok('connect_with_token', { provider: 'monday', token });
  const isOfItems = ({ body }: { body: unknown }) => JSON.stringify(body).includes('__last_updated__');
  monday.ledger.clear();
  // The boards, the public one of the story, and the first page of this one go well, and the second does not.
  monday.failures.next({ path: '/v2' }, { kind: 'delay', ms: 0 }, 5);
  monday.failures.next({ path: '/v2' }, { kind: 'status', status: 500 }, 4);
  const broken = await startSync(server, { source: 'monday', account: connection_id, days: null });
  expect(broken).toMatchObject({ status: 'failing', failure: expect.stringContaining('500') });
  time += laterMs;
  const sync = await runSync(server, broken);
  expect(sync).toMatchObject({ status: 'waiting', failure: null });
  expect((await listPageTitles(server, sync)).filter((title) => title.startsWith('Part'))).toHaveLength(70);
  const asks = listRequests().filter((entry) => isOfItems(entry) && JSON.stringify(entry.body).includes(board.id));
  expect(asks).toHaveLength(firstPages);
  await server.ok('revoke_connected_account', { connection_id });
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
