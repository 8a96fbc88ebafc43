import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDiscordEmulator, type DiscordEmulator } from '#emulators/discord/index';
import { fetchTwice } from '../../support/fetching.ts';
import { linkAccount } from '../../support/linking.ts';
import { signIn } from '../../support/google.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let discord: DiscordEmulator;
let server: WatchedServer;
let bot: ReturnType<DiscordEmulator['addBot']>;
beforeAll(async () => {
  discord = await startDiscordEmulator();
  server = await startWatchedServer(discord, {
    THALAMUS_DISCORD_BASE_URL: discord.url,
    THALAMUS_DISCORD_CLIENT_ID: discord.client.id,
    THALAMUS_DISCORD_CLIENT_SECRET: discord.client.secret,
  });
  discord.addUser({ username: 'ada' });
  discord.addUser({ username: 'grace' });
  bot = discord.addBot('relay');
  const guild = discord.addGuild({ name: 'Engine', owner: 'ada', members: ['grace', 'relay'] });
  discord.addChannel({ guild, name: 'general' });
  discord.addChannel({ guild, name: 'secret', allowed: ['ada'] });
  discord.addChannel({ guild: discord.addGuild({ name: 'Elsewhere', owner: 'ada' }), name: 'away' });
});
afterEach(() => discord.failures.clear());
afterAll(async () => {
  await server.close();
  await discord.close();
});

const history = /\/channels\/\d+\/messages$/;
const createBusyFailure = (retryAfter: number) =>
  ({ kind: 'status', status: 429, when: 'before', retryAfter }) as const;

test('a Discord account is linked by a bot, synced, searched, changed and unlinked, with the place to revoke it', async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  discord.seedMessage('general', { author: 'grace', content: 'An old word.', at: ago(24 * 5) });
  const slip = discord.seedMessage('general', { author: 'grace', content: 'The gears slip.', at: ago(20) });
  const regret = discord.seedMessage('general', { author: 'ada', content: 'Said too soon.', at: ago(19) });
  for (let number = 0; number < 130; number += 1)
    discord.seedMessage('general', { author: 'ada', content: `Line ${number}`, at: ago(10) });
  discord.seedMessage('secret', { author: 'ada', content: 'Not for the bot.' });
  discord.seedMessage('away', { author: 'ada', content: 'Not for the bot either.' });
  const open = discord.addThread({ channel: 'general', name: 'Bearings' });
  discord.seedMessage(open.id, { author: 'grace', content: 'Which oil?' });
  discord.seedMessage(open.id, { author: 'ada', content: 'Oil the saffron bearing.' });
  const old = discord.addThread({ channel: 'general', name: 'Axles', archivedAt: ago(48) });
  discord.seedMessage(old.id, { author: 'grace', content: 'They are of walnut.', at: ago(49) });

  const browser = await signIn(server);
  const linked = await browser.ok('connect_with_token', { provider: 'discord', token: bot.token });
  const since = ago(24).toISOString(); // and three days more, for what changes without saying so
  const fetched = await fetchTwice(server, { source: 'discord', input: { since, limit: 250 } });
  expect(fetched).toMatchObject({ first: { ingested_count: 133 }, again: { ingested_count: 0 } });
  expect(fetched.titles).toContain('Engine: Bearings');
  expect(fetched.titles).not.toContain('#general: An old word.');
  const sync = await startSync(server, { source: 'discord' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 135 });
  const [refused] = sync['errors'] as { item: string; message: string }[];
  expect(refused).toEqual({ item: 'messages of Engine / secret', message: expect.stringContaining('Missing Access') });
  const thread = await findFirstPage(server, sync, 'saffron bearing');
  expect(thread).toMatchObject({ type: 'message', title: 'Engine: Bearings', author: 'grace', origin: 'outside' });
  expect(String(thread?.['body'])).toMatch(/Which oil\?[\s\S]*saffron/);
  expect(await findFirstPage(server, sync, 'walnut')).toMatchObject({ title: 'Engine: Axles' });
  expect(await listPageTitles(server, sync)).not.toContain('#away: Not for the bot either.');

  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0 });
  discord.editMessage(slip.id, 'The gears slipped.');
  discord.deleteMessage(regret.id);
  discord.seedMessage('general', { author: 'grace', content: 'A compass is repaired.' });
  discord.seedMessage(open.id, { author: 'grace', content: 'It is done.' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 4 });
  expect(await findFirstPage(server, sync, 'gears')).toMatchObject({ title: '#general: The gears slipped.' });
  expect((await findFirstPage(server, sync, 'saffron bearing'))?.['body']).toContain('It is done.');
  const { pages } = await server.ok('search', { q: 'said too soon', brain_id: sync.brain_id });
  expect(pages).not.toContainEqual(expect.objectContaining({ title: expect.stringContaining('too soon') }));
  expect(await findFirstPage(server, sync, 'old word')).toMatchObject({ title: '#general: An old word.' });

  const ended = await server.ok('revoke_connected_account', { connection_id: linked['connection_id'] });
  expect(ended).toMatchObject({
    revoked_at_provider: false,
    own_page: { url: expect.stringContaining('discord.com') },
  });
  expect(await runSync(server, sync)).toMatchObject({
    status: 'failing',
    failure: expect.stringContaining('unlinked'),
  });
});

test('a short rate limit of Discord is waited for, and a long one pauses the sync', async () => {
  const browser = await signIn(server);
  await browser.ok('connect_with_token', { provider: 'discord', token: bot.token });
  const sync = await startSync(server, { source: 'discord', days: 7 });
  discord.failures.next({ path: history }, createBusyFailure(1), 2);
  discord.failures.next({ path: history }, { kind: 'rate_limited' });
  const begun = performance.now();
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null });
  expect(performance.now() - begun).toBeGreaterThan(3_000);
  discord.failures.next({ path: history }, createBusyFailure(300));
  const failed = await runSync(server, sync);
  expect(failed).toMatchObject({ status: 'failing', failure: expect.stringContaining('rate limited') });
  expect(Date.parse(String(failed['next_at'])) - Date.now()).toBeGreaterThan(290_000);
});

test('an alert of a bot that has only an embed, and a forwarded message, are found by their words', async () => {
  const embed = { title: '#552 failed', fields: [{ name: 'Runbook', value: 'RB-37 of the capstan' }] };
  discord.seedMessage('general', { author: 'relay', content: '', embeds: [embed], type: 20 });
  const more = { message_snapshots: [{ message: { content: 'The keel is of greenheart.', embeds: [] } }] };
  discord.seedMessage('general', { author: 'grace', content: '', more });
  discord.seedMessage('general', { author: 'grace', content: '' });
  const sync = await startSync(server, { source: 'discord', days: 1 });
  expect(await findFirstPage(server, sync, 'capstan')).toMatchObject({
    title: '#general: #552 failed Runbook: RB-37 of the capstan',
    author: 'relay',
  });
  expect(await findFirstPage(server, sync, 'greenheart')).toMatchObject({ author: 'grace' });
  expect(await listPageTitles(server, sync)).not.toContain('#general:');
  expect(sync['left_out']).toEqual([{ why: expect.stringContaining('without words'), items: 1 }]);
});

test('a person’s own consent cannot read channels, and the message names what can', async () => {
  const { connections } = await server.ok('list_connections');
  for (const { connection_id } of connections as { connection_id: string }[])
    await server.ok('revoke_connected_account', { connection_id });
  await linkAccount(server, { provider: 'discord', source: 'discord' }, (url) => discord.approve(url, { user: 'ada' }));
  const input = { since: '2026-01-01' };
  const { status, body } = await server.call('fetch_from_integration', { source: 'discord', input });
  expect(status).toBe(409);
  expect(body['detail']).toContain('/integrations/discord');
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks({ 'the token of the bot': bot.token })).toEqual([]);
});
