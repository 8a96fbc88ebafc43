import type { GoogleEmulator } from '#emulators/google/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startServerWithGoogle, type Browser } from '../../../../tests/support/google.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { waitForSync } from '../../../../tests/support/syncs.ts';

let server: TestServer;
let google: GoogleEmulator;
let browser: Browser;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  browser = await signIn(server);
});
afterAll(() => close());

/** Links an account, as the console does it. */
async function link(email: string, { source = 'gmail', ...more }: { source?: string; sync?: boolean } = {}) {
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source, ...more });
  const target = await google.approve(String(authorization_url), { email });
  const { code, state } = Object.fromEntries(new URL(target).searchParams);
  return browser.ok('finish_oauth', { code, state });
}
const listSyncs = async (connectionId: unknown) =>
  (await server.ok('list_syncs')).syncs.filter(({ connection_id }) => connection_id === connectionId);

test('an account that a person connects at the console syncs into their own brain at once', async () => {
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  google.seedMail('ada@example.com', { from: 'grace@navy.example', subject: 'Tides', text: 'High at noon.' });
  const linked = await link('ada@example.com', { sync: true });
  const { home_brain_id } = await server.ok('whoami');
  const sync = await waitForSync(server, String(linked['sync_id']));
  expect(sync).toMatchObject({
    source: 'gmail',
    brain_id: home_brain_id,
    every_minutes: 15,
    days: 90,
    pages_changed: 1,
  });
  expect(linked['sync_error']).toBeNull();
});

test('an account that is connected again keeps its sync as it is', async () => {
  const [sync] = await listSyncs((await link('ada@example.com'))['connection_id']);
  const { brain_id } = await server.ok('create_brain', { name: 'Elsewhere' });
  await server.ok('stop_sync', { sync_id: sync?.sync_id });
  const own = await server.ok('sync_integration', { source: 'gmail', brain_id, every_minutes: 60, days: 30 });
  const again = await link('ada@example.com', { sync: true });
  expect(again).toMatchObject({ sync_id: own.sync_id, sync_error: null });
  expect(await listSyncs(again['connection_id'])).toMatchObject([{ brain_id, every_minutes: 60, days: 30 }]);
});

test('an account that is connected without that option does not sync', async () => {
  google.addAccount({ email: 'eve@example.com', name: 'Eve' });
  const linked = await link('eve@example.com');
  expect(linked).toMatchObject({ sync_id: null, sync_error: null });
  expect(await listSyncs(linked['connection_id'])).toEqual([]);
});

test('a link from elsewhere starts no sync, whatever its parameters', async () => {
  google.addAccount({ email: 'mia@example.com', name: 'Mia' });
  const { workspace } = await server.ok('whoami');
  const start = `/api/workspaces/${workspace.id}/oauth/google/start?source=gmail&sync=true`;
  const headers = { cookie: browser.cookie };
  const begun = await server.request(start, { headers, redirect: 'manual' });
  const target = await google.approve(begun.headers.get('location') ?? '', { email: 'mia@example.com' });
  const { pathname, search } = new URL(target);
  const back = await server.request(`${pathname}${search}`, { headers, redirect: 'manual' });
  expect(back.headers.get('location')).toBe('/integrations?connected=gmail');
  const { connections } = await server.ok('list_connections');
  const linked = connections.find(({ account }) => account === 'mia@example.com');
  expect(await listSyncs(linked?.connection_id)).toEqual([]);
});

test('an account whose source a rule blocks is linked, and the page says why it does not sync', async () => {
  google.addAccount({ email: 'bob@example.com', name: 'Bob' });
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'block', sources: ['calendar'] }] });
  const linked = await link('bob@example.com', { source: 'calendar', sync: true });
  expect(linked).toMatchObject({ sync_id: null, sync_error: expect.any(String), connection_id: expect.any(String) });
});
