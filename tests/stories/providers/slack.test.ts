import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSlackEmulator, type SlackEmulator } from '#emulators/slack/index';
import { fetchTwice } from '../../support/fetching.ts';
import { linkAccount } from '../../support/linking.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let slack: SlackEmulator;
let server: WatchedServer;
beforeAll(async () => {
  slack = await startSlackEmulator();
  server = await startWatchedServer(slack, {
    THALAMUS_SLACK_BASE_URL: slack.url,
    THALAMUS_SLACK_CLIENT_ID: slack.client.id,
    THALAMUS_SLACK_CLIENT_SECRET: slack.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await slack.close();
});

test('a Slack account is linked, synced, searched, changed, unlinked and revoked', async () => {
  slack.addUser({ name: 'ada', realName: 'Ada Lovelace' });
  const grace = slack.addUser({ name: 'grace', realName: 'Grace Hopper' });
  slack.addChannel({ name: 'general', members: ['ada', 'grace'] });
  slack.addChannel({ name: 'elsewhere', members: ['grace'] });
  const parent = slack.seedMessage('general', {
    user: 'grace',
    text: 'The gears slip on the third wheel.',
  });
  slack.seedMessage('general', {
    user: 'ada',
    text: `<@${grace.id}> Oil the <https://example.com/b|saffron bearing> &amp; wait.`,
    threadTs: parent.ts,
  });
  const slip = slack.seedMessage('general', { user: 'ada', text: 'A slip of the pen.' });
  slack.seedMessage('elsewhere', { user: 'grace', text: 'Not for Ada to read here.' });
  for (let number = 0; number < 120; number += 1) slack.seedMessage('general', { user: 'ada', text: `Line ${number}` });
  const connectionId = await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) =>
    slack.approve(url, { user: 'ada' }),
  );

  const fetched = await fetchTwice(server, { source: 'slack', input: { since: '2020-01-01', limit: 250 } });
  expect(fetched).toMatchObject({ first: { ingested_count: 122 }, again: { ingested_count: 0 } });
  expect(fetched.titles).toContain('#general: The gears slip on the third wheel.');
  const sync = await startSync(server, { source: 'slack' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [], pages_changed: 122 });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'message', title: '#general: The gears slip on the third wheel.' });
  expect(page?.['body']).toContain('@Grace Hopper Oil the saffron bearing (https://example.com/b) & wait.');
  expect(await findFirstPage(server, sync, 'not for ada to read')).not.toMatchObject({
    title: expect.stringContaining('Not for'),
  });

  slack.editMessage('general', parent.ts, 'The gears slipped.');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toContain('#general: The gears slipped.');

  slack.deleteMessage('general', slip.ts);
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).not.toContain('#general: A slip of the pen.');

  const busy = { kind: 'status', status: 500, when: 'before' } as const;
  slack.failures.next({ path: '/api/conversations.history' }, busy, 10);
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing', failure: expect.stringContaining('500') });
  slack.failures.clear();

  const token = slack.ledger.all({ path: '/api/conversations.history' }).at(-1)?.headers['authorization'] ?? '';
  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const after = await fetch(`${slack.url}/api/auth.test`, { method: 'POST', headers: { authorization: token } });
  expect(await after.json()).toMatchObject({ ok: false });
});

test('a refusal with status 200 is an error: access that was revoked there is reported here', async () => {
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'grace' }));
  const sync = await startSync(server, { source: 'slack', account: 'grace in Thalamus Test' });
  slack.revokeAccess('grace');
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing', failure: expect.stringContaining('again') });
  // After relinking it works on by itself, and not only when its next try is due.
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'grace' }));
  const { syncs } = await vi.waitUntil(async () => {
    const answer = (await server.ok('list_syncs')) as {
      syncs: { sync_id: string; status: string; finished_at: string }[];
    };
    const own = answer.syncs.filter(({ sync_id }) => sync_id === sync.sync_id);
    return own.every(({ status, finished_at }) => status === 'waiting' && finished_at) && { syncs: own };
  }, 10_000);
  expect(syncs).toHaveLength(1);
});

test('messages of apps, late replies and late edits are on the page, however they were written', async () => {
  const day = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * day);
  slack.addUser({ name: 'linus' });
  slack.addChannel({ name: 'ops', members: ['linus'] });
  const seed = (message: Parameters<SlackEmulator['seedMessage']>[1]) => slack.seedMessage('ops', message);
  const alert = {
    title: 'P1 on mq-2',
    text: 'Queue depth 41 k, runbook RB-37',
    fields: [{ title: 'Team', value: 'freight' }],
  };
  seed({ subtype: 'bot_message', username: 'pager', text: '', attachments: [alert], at: ago(1) });
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Rollout stopped* for `ferry`' } }];
  const bot = seed({ user: 'linus', text: '', blocks, at: ago(50) });
  const old = seed({ user: 'linus', text: 'Shall we sign with the chandler?', at: ago(80) });
  const ancient = seed({ user: 'linus', text: 'The dry dock', at: ago(200) });
  for (let number = 0; number < 3; number += 1) seed({ user: 'linus', text: `Line ${number}` });
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'linus' }));
  const sync = await startSync(server, { source: 'slack', account: 'linus in Thalamus Test', days: 365 });
  const page = await findFirstPage(server, sync, 'freight');
  expect(page).toMatchObject({ author: 'pager', title: expect.stringContaining('P1 on mq-2') });
  expect(String(page?.['body'])).toContain('runbook RB-37\nTeam: freight');
  expect(await listPageTitles(server, sync)).toContain('#ops: *Rollout stopped* for `ferry`');

  seed({ user: 'linus', text: 'The contract is signed', threadTs: old.ts });
  seed({ user: 'linus', text: 'Rolled back', threadTs: bot.ts, attachments: [{ text: 'by the capstan job' }] });
  seed({ user: 'linus', text: 'Too late', threadTs: ancient.ts });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2 });
  expect((await findFirstPage(server, sync, 'chandler'))?.['body']).toContain('The contract is signed');
  expect((await findFirstPage(server, sync, 'rollout'))?.['body']).toContain('by the capstan job');
  slack.editMessage('ops', old.ts, 'Shall we sign with the ropemaker?');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await findFirstPage(server, sync, 'ropemaker')).not.toBeNull();
  slack.deleteMessage('ops', bot.ts);
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0, errors: [] });
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
