import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNotionEmulator, type NotionEmulator } from '../../emulators/notion/index.ts';
import { linkAccount } from '../../support/linking.ts';
import { found, runSync, startSync, titlesIn } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let notion: NotionEmulator;
let server: WatchedServer;
beforeAll(async () => {
  notion = await startNotionEmulator({ searchLagSeconds: 0 });
  server = await startWatchedServer(notion, {
    THALAMUS_NOTION_BASE_URL: notion.url,
    THALAMUS_NOTION_CLIENT_ID: notion.client.id,
    THALAMUS_NOTION_CLIENT_SECRET: notion.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await notion.close();
});

test('Notion: linked, read, found, changed there and so here, unlinked and ended there', async () => {
  notion.addUser({ name: 'Ada' });
  const plan = notion.seedPage({
    title: 'Gear plan',
    by: 'Ada',
    text: ['The gears slip.', 'Oil the saffron bearing.'],
  });
  notion.seedPage({ title: 'Other notes', by: 'Ada', text: ['Nothing of gears.'] });
  const connectionId = await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) =>
    notion.approve(url, { user: 'Ada' }),
  );
  const sync = await startSync(server, { source: 'notion' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 2, errors: [] });
  const page = await found(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'note', title: 'Gear plan' });
  expect(page?.['body']).toBe('The gears slip.\n\nOil the saffron bearing.');

  notion.touchPage(plan.id, { title: 'Gear plan, second' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await titlesIn(server, sync)).toEqual(['Gear plan, second', 'Other notes']);

  const token = notion.ledger.all({ path: '/v1/search' }).at(-1)?.headers['authorization'] ?? '';
  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const headers = { authorization: token, 'notion-version': '2025-09-03' };
  expect((await fetch(`${notion.url}/v1/users/me`, { headers })).status).toBe(401);
});

test('nothing that is secret was said by the server or stands in a table', async () => {
  expect(await server.leaks()).toEqual([]);
});
