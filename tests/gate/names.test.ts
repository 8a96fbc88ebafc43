// A rule on one name of a target applies to all its names, at every provider with several names.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildOauthSettings } from '#emulators/settings';
import { startDiscordEmulator, type DiscordEmulator } from '#emulators/discord/index';
import { startLinearEmulator, type LinearEmulator } from '#emulators/linear/index';
import { startMondayEmulator, type MondayEmulator } from '#emulators/monday/index';
import { startNotionEmulator, type NotionEmulator } from '#emulators/notion/index';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, signIn, startServerWithGoogle } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let discord: DiscordEmulator;
let linear: LinearEmulator;
let monday: MondayEmulator;
let notion: NotionEmulator;
let closeServer: () => Promise<void>;
const ids: Record<string, string> = {};

beforeAll(async () => {
  discord = await startDiscordEmulator();
  linear = await startLinearEmulator();
  monday = await startMondayEmulator({ newOauth: true });
  notion = await startNotionEmulator({ searchLagSeconds: 0, quota: { requests: 100_000, seconds: 10 } });
  ({
    server,
    google,
    close: closeServer,
  } = await startServerWithGoogle({
    ...buildOauthSettings('discord', discord),
    ...buildOauthSettings('linear', linear),
    ...buildOauthSettings('monday', monday),
    ...buildOauthSettings('notion', notion),
  }));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  await seedAndLink();
});
afterAll(async () => {
  await closeServer();
  for (const emulator of [discord, linear, monday, notion]) await emulator.close();
});

async function seedAndLink(): Promise<void> {
  discord.addUser({ username: 'ada' });
  const { token } = discord.addBot('relay');
  const guild = discord.addGuild({ name: 'Engine', owner: 'ada', members: ['relay'] });
  ids['general'] = discord.addChannel({ guild, name: 'general' }).id;
  ids['thread'] = discord.addThread({ channel: 'general', name: 'bearings' }).id;
  const browser = await signIn(server);
  await browser.ok('connect_with_token', { provider: 'discord', token });
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG', name: 'Machines' });
  await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) => linear.approve(url, { user: 'Ada' }));
  monday.addUser({ name: 'Ada' });
  ids['board'] = monday.addBoard({ name: 'Tasks' }).id;
  ids['item'] = monday.seedItem(ids['board'], { name: 'Oil', by: 'Ada' }).id;
  await linkAccount(server, { provider: 'monday', source: 'monday' }, (url) => monday.approve(url, { user: 'Ada' }));
  notion.addUser({ name: 'Ada' });
  ids['page'] = notion.seedPage({ title: 'Gear plan', by: 'Ada' }).id;
  const database = notion.addDatabase({ title: 'Parts', schema: { Name: { type: 'title' } } as never });
  ids['database'] = database.id;
  ids['data_source'] = database.dataSourceId;
  await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) => notion.approve(url, { user: 'Ada' }));
  const folder = google.seedFile('ada@example.com', {
    name: 'Contracts',
    mimeType: 'application/vnd.google-apps.folder',
  } as never);
  ids['folder'] = folder.id;
}

async function setRules(...rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}
afterEach(() => setRules());

const fillIds = (text: string) => text.replaceAll(/<(\w+)>/g, (_all, name: string) => ids[name] ?? name);
const stripDashes = (id: string | undefined) => String(id).replaceAll('-', '');

test.for<[string, string, Record<string, string>, readonly string[]]>([
  [
    'discord',
    'post_message',
    { channel: '<general>', text: 'x' },
    ['channel general', 'channel general Engine', 'channel <general>'],
  ],
  ['discord', 'post_message', { channel: 'general', text: 'x' }, ['channel <general>', 'channel * engine']],
  ['discord', 'post_message', { channel: '<thread>', text: 'x' }, ['channel bearings', 'channel general']],
  ['linear', 'create_issue', { team: 'eng', title: 'x' }, ['issues of Machines', 'issues of ENG']],
  ['monday', 'create_item', { board_id: '<board>', name: 'x' }, ['board Tasks', 'board <board>']],
  ['monday', 'create_item', { board_id: 'Tasks', name: 'x' }, ['board <board>']],
  [
    'monday',
    'create_update',
    { item_id: '<item>', body: 'x' },
    ['item <item>', '* on board Tasks', '* on board <board>'],
  ],
  [
    'notion',
    'append_to_page',
    { page_id: 'Gear plan', text: 'x' },
    ['page <page>', 'page Gear plan', 'page bare:page'],
  ],
  ['notion', 'append_to_page', { page_id: '<page>', text: 'x' }, ['page Gear plan']],
  [
    'notion',
    'add_to_database',
    { database_id: 'Parts', title: 'x' },
    ['database <database>', 'database <data_source>'],
  ],
  [
    'notion',
    'add_to_database',
    { data_source_id: '<data_source>', title: 'x' },
    ['database Parts', 'database <database>'],
  ],
  ['notion', 'add_to_database', { database_id: '<database>', title: 'x' }, ['database Parts']],
  [
    'drive',
    'create_file',
    { name: 'a.txt', content: 'x', folder_id: '<folder>' },
    ['file in Contracts', '* in <folder>'],
  ],
])('the name of %s %s with %o is checked', async ([source, action_name, fields, targets]) => {
  const input = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fillIds(value)]));
  const asked = { source, action_name, input };
  for (const written of targets) {
    const target = written.startsWith('page bare:') ? `page ${stripDashes(ids['page'])}` : fillIds(written);
    await setRules({ effect: 'block', target });
    expect((await server.call('act_on_integration', asked)).status, target).toBe(403);
  }
  await setRules({ effect: 'block', target: 'channel elsewhere' }, { effect: 'block', target: 'page Elsewhere' });
  const { preview } = (await server.ok('act_on_integration', asked)) as { preview: { fields: { label: string }[] } };
  expect(preview.fields.map(({ label }) => label)).not.toContain('Not looked up');
});
