import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLinearEmulator, type LinearEmulator } from '#emulators/linear/index';
import { fetchTwice } from '../../support/fetching.ts';
import { linkAccount } from '../../support/linking.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let linear: LinearEmulator;
let server: WatchedServer;
beforeAll(async () => {
  linear = await startLinearEmulator();
  server = await startWatchedServer(linear, {
    THALAMUS_LINEAR_BASE_URL: linear.url,
    THALAMUS_LINEAR_CLIENT_ID: linear.client.id,
    THALAMUS_LINEAR_CLIENT_SECRET: linear.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await linear.close();
});

test('a Linear account is linked, synced, searched, changed, unlinked and revoked', async () => {
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG' });
  const issue = linear.seedIssue('ENG', { title: 'Gears slip', description: 'On the third wheel.', creator: 'Ada' });
  linear.seedComment(issue.id, { user: 'Ada', body: 'Oil the saffron bearing.' });
  for (let number = 0; number < 70; number += 1)
    linear.seedIssue('ENG', { title: `Task ${number}`, description: 'One of many.', creator: 'Ada' });
  const connectionId = await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) =>
    linear.approve(url, { user: 'Ada' }),
  );

  const fetched = await fetchTwice(server, { source: 'linear', input: { since: '2020-01-01', limit: 5 } });
  expect(fetched).toMatchObject({ first: { ingested_count: 5 }, again: { ingested_count: 0 } });
  expect(fetched.first['page_slugs']).toHaveLength(5);
  const sync = await startSync(server, { source: 'linear' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 71, errors: [] });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'issue', title: 'Gears slip', author: 'Ada' });
  expect(page?.['frontmatter']).toMatchObject({ identifier: `ENG-${issue.number}` });

  linear.touchIssue(issue.id, { title: 'Gears slipped' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toContain('Gears slipped');
  linear.touchIssue(issue.id, { archived: true });
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).not.toContain('Gears slipped');

  const long = linear.seedIssue('ENG', { title: 'Long talk', creator: 'Ada' });
  for (let number = 0; number < 400; number += 1)
    linear.seedComment(long.id, {
      user: 'Ada',
      body: `Remark ${number}${number % 133 === 1 ? ' of the quince tree' : ''}.`,
    });
  linear.touchIssue(long.id, { title: 'Long talk of trees' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1, errors: [] });
  const talk = await findFirstPage(server, sync, 'quince tree');
  const { body } = await server.ok('get_page', { id: talk?.['id'] });
  const remarks = [...String(body).matchAll(/Remark (\d+)/g)].map(([, number]) => Number(number));
  expect(remarks.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 400 }, (_, number) => number));

  const token = linear.ledger.all({ path: '/graphql' }).at(-1)?.headers['authorization'] ?? '';
  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const after = await fetch(`${linear.url}/graphql`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  });
  expect(after.status).toBe(401);
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});

test('the sync pauses for Linear’s rate limit, which has its own headers', async () => {
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'OPS' });
  await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) => linear.approve(url, { user: 'Ada' }));
  const sync = await startSync(server, { source: 'linear' });
  linear.setQuota({ requests: 1, seconds: 300 });
  await runSync(server, sync);
  const failed = await runSync(server, sync);
  expect(failed).toMatchObject({ status: 'failing', failure: expect.stringMatching(/rate limit/i) });
  const wait = Date.parse(String(failed['next_at'])) - Date.now();
  expect(wait).toBeGreaterThan(280_000);
  expect(wait).toBeLessThan(320_000);
});
