import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGitHubEmulator, type GitHubEmulator } from '#emulators/github/index';
import { signIn } from '../../support/google.ts';
import { linkAccount } from '../../support/linking.ts';
import { startTestServer } from '../../support/server.ts';
import { findFirstPage, runSync, waitForSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let github: GitHubEmulator;
let server: WatchedServer;
beforeAll(async () => {
  github = await startGitHubEmulator();
  server = await startWatchedServer(github, {
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await github.close();
});

test('a GitHub account is linked, synced, searched, changed, unlinked and revoked', async () => {
  github.addUser({ login: 'ada' });
  github.addUser({ login: 'grace' });
  github.addRepo({ owner: 'ada', name: 'engine', private: true, members: { grace: 'write' } });
  const issue = github.seedIssue('ada/engine', { author: 'grace', title: 'Gears slip', body: 'On the third *wheel*.' });
  github.seedComment('ada/engine', issue.number, { author: 'ada', body: 'Oil the saffron bearing.' });
  for (let number = 0; number < 120; number += 1)
    github.seedIssue('ada/engine', {
      author: 'ada',
      title: `Task ${number}`,
      body: 'One of many.',
      at: new Date(Date.now() - number * 60_000),
    });
  const connectionId = await linkAccount(server, { provider: 'github', source: 'github' }, (url) =>
    github.approve(url, { login: 'ada' }),
  );

  const sync = await startSync(server, { source: 'github', days: null });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 121, errors: [] });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'issue', title: 'Gears slip', author: 'grace', origin: 'outside' });
  expect(page?.['body']).toContain('On the third *wheel*.');
  expect(page?.['frontmatter']).toMatchObject({ repository: 'ada/engine', number: 1, state: 'open', account: 'ada' });

  github.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0 });
  github.touchIssue('ada/engine', issue.number, { state: 'closed', title: 'Gears slipped' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toContain('Gears slipped');
  expect(github.ledger.count({ path: '/issues' })).toBeLessThanOrEqual(2);

  github.deleteIssue('ada/engine', issue.number);
  expect(await runSync(server, sync, { from_start: true })).toMatchObject({ pages_changed: 1, failure: null });
  expect(await listPageTitles(server, sync)).not.toContain('Gears slipped');

  const fetched = await server.ok('fetch_from_integration', {
    source: 'github',
    input: { since: '2020-01-01', limit: 5 },
  });
  expect(fetched['page_slugs']).toHaveLength(5);

  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const token = github.ledger.all({ path: '/issues' })[0]?.headers['authorization'] ?? '';
  const after = await fetch(`${github.url}/user`, { headers: { authorization: token, 'user-agent': 'test' } });
  expect(after.status).toBe(401);
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing', failure: expect.stringContaining('ada') });
});

test('reviews of pull requests, comments on their code, and releases are found by their words', async () => {
  github.addUser({ login: 'ines' });
  github.addRepo({ owner: 'ines', name: 'hull', members: { grace: 'write' } });
  const { number } = github.seedIssue('ines/hull', { author: 'ines', title: 'Rivets', body: 'New rivets.', pull: {} });
  github.seedReview('ines/hull', number, {
    author: 'grace',
    body: 'The keel needs greenheart.',
    state: 'CHANGES_REQUESTED',
    remarks: [{ path: 'hull.c', line: 3, body: 'This rivet is chamfered wrongly.' }],
  });
  const release = { tag: 'v2.0', name: 'Second launch', body: 'The capstan turns.', author: 'ines' };
  github.seedRelease('ines/hull', release);
  github.seedRelease('ines/hull', { tag: 'v3.0', body: 'Not yet: bowsprit.', author: 'ines', draft: true });
  const account = await linkAccount(server, { provider: 'github', source: 'github' }, (url) =>
    github.approve(url, { login: 'ines' }),
  );
  const sync = await startSync(server, { source: 'github', account });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  const pull = String((await findFirstPage(server, sync, 'chamfered'))?.['body']);
  expect(pull).toMatch(/grace, \S+, CHANGES_REQUESTED\n\nThe keel needs greenheart\./);
  expect(pull).toMatch(/grace, \S+, hull\.c 3\n\nThis rivet is chamfered wrongly\./);
  expect(await findFirstPage(server, sync, 'capstan')).toMatchObject({
    type: 'release',
    title: 'ines/hull v2.0 Second launch',
    frontmatter: { repository: 'ines/hull', tag: 'v2.0', prerelease: false },
  });
  github.seedReview('ines/hull', number, { author: 'grace', state: 'APPROVED' });
  github.seedReview('ines/hull', number, {
    author: 'grace',
    remarks: [{ path: 'a.c', line: 1, body: 'Teak, please.' }],
  });
  github.seedRelease('ines/hull', { tag: 'v2.1', body: 'The windlass, too.', author: 'ines' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2 });
  expect((await findFirstPage(server, sync, 'teak'))?.['body']).toContain('APPROVED');
  expect(await findFirstPage(server, sync, 'windlass')).toMatchObject({ title: 'ines/hull v2.1 v2.1' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0 });
});

test('access that shows neither reviews nor releases still reads the rest, and says what is left out', async () => {
  github.addUser({ login: 'pere' });
  github.addRepo({ owner: 'pere', name: 'oars' });
  github.seedIssue('pere/oars', { author: 'pere', title: 'Blades', body: 'Of spruce.', pull: {} });
  const account = await linkAccount(server, { provider: 'github', source: 'github' }, (url) =>
    github.approve(url, { login: 'pere' }),
  );
  const refused = {
    kind: 'status',
    status: 403,
    reason: 'Resource not accessible by personal access token',
    when: 'before',
  } as const;
  github.failures.next({ path: /\/(?:pulls\/\d+\/(?:reviews|comments)|releases)$/ }, refused, 20);
  const sync = await startSync(server, { source: 'github', account });
  github.failures.clear();
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  expect(await listPageTitles(server, sync)).toEqual(['Blades']);
  expect((sync['left_out'] as { why: string }[]).map(({ why }) => why)).toEqual([
    'Comments on the code of pull requests: this access does not show them.',
    'Releases of repositories whose contents this access does not show.',
    'Reviews of pull requests: this access does not show them.',
  ]);
  github.failures.next({ path: '/user/repos' }, refused);
  const halfway = await runSync(server, sync, { from_start: true });
  expect(halfway).toMatchObject({ failure: null, left_out: [{ why: expect.stringContaining('Releases'), items: 1 }] });
  await runSync(server, sync, { from_start: true });
  const { syncs } = await server.ok('list_syncs');
  expect(
    (syncs as { sync_id: string; left_out: object[] }[]).find((each) => each.sync_id === sync.sync_id),
  ).toMatchObject({
    left_out: [],
    goes_back: expect.stringContaining('Issues and pull requests'),
    not_read: expect.arrayContaining([expect.stringContaining('discussions')]),
  });
});

test('an issue that changes during the reading of the list pushes no other issue out of it', async () => {
  github.addUser({ login: 'mary' });
  github.addRepo({ owner: 'mary', name: 'loom' });
  for (let number = 1; number <= 150; number += 1)
    github.seedIssue('mary/loom', {
      author: 'mary',
      title: `Thread ${number}`,
      body: 'x',
      at: new Date(Date.now() - number * 60_000),
    });
  const account = await linkAccount(server, { provider: 'github', source: 'github' }, (url) =>
    github.approve(url, { login: 'mary' }),
  );
  const { brain_id } = await server.ok('create_brain', { name: 'Loom' });
  const first = github.failures.pause({ path: '/issues' });
  const begun = await server.ok('sync_integration', { source: 'github', account, brain_id, every_minutes: 600 });
  await first.reached;
  const second = github.failures.pause({ path: '/issues' });
  first.release();
  await second.reached;
  for (const number of [1, 2, 3, 148, 149, 150]) github.touchIssue('mary/loom', number, { body: 'y' });
  second.release();
  const sync = await waitForSync(server, String(begun['sync_id']));
  expect(sync).toMatchObject({ status: 'waiting', failure: null });
  await runSync(server, sync);
  expect(new Set(await listPageTitles(server, sync)).size).toBe(150);
});

test('a next page on another host is requested from GitHub, and nothing goes to that host', async () => {
  const asked: string[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(`elsewhere${request.url}`);
    response.end('[]');
  });
  const posing = createServer((request, response) => {
    asked.push(String(request.url));
    response.setHeader('content-type', 'application/json');
    if (request.url === '/user') return response.end(JSON.stringify({ id: 7, login: 'mallory' }));
    const isFirst = !request.url?.includes('page=2');
    if (isFirst) response.setHeader('link', `<${getAddress(elsewhere)}/issues?page=2>; rel="next"`);
    return response.end('[]');
  });
  await Promise.all([elsewhere, posing].map((each) => once(each.listen(0, '127.0.0.1'), 'listening')));
  const other = await startTestServer({ THALAMUS_GITHUB_BASE_URL: getAddress(posing) });
  try {
    const browser = await signIn(other);
    await browser.ok('connect_with_token', { provider: 'github', token: `github_pat_${'x'.repeat(30)}` });
    expect(await startSync(other, { source: 'github' })).toMatchObject({ status: 'waiting', failure: null });
    expect(asked.filter((url) => url.startsWith('elsewhere'))).toEqual([]);
    expect(asked).toContain('/issues?page=2');
  } finally {
    await other.close();
    for (const each of [elsewhere, posing]) each.close();
  }
});

function getAddress(listening: Server): string {
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`; // it listens on a port
}

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
