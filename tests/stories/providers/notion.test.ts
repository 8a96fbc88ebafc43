import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNotionEmulator, type NotionEmulator, type SeedPage } from '#emulators/notion/index';
import type { Database, Page } from '#emulators/notion/state';
import { fetchTwice } from '../../support/fetching.ts';
import { linkAccount } from '../../support/linking.ts';
import { findFirstPage, runSync, startSync, listPageTitles, type Sync } from '../../support/syncs.ts';
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

test('a Notion account is linked, synced, searched, changed, unlinked and revoked', async () => {
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
  const fetched = await fetchTwice(server, { source: 'notion', input: { since: '2020-01-01' } });
  expect(fetched).toMatchObject({ first: { ingested_count: 2 }, again: { ingested_count: 0 } });
  expect(fetched.titles).toEqual(['Gear plan', 'Other notes']);
  const sync = await startSync(server, { source: 'notion' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 2, errors: [] });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'note', title: 'Gear plan' });
  expect(page?.['body']).toBe('The gears slip.\n\nOil the saffron bearing.');

  notion.touchPage(plan.id, { title: 'Gear plan, second' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(await listPageTitles(server, sync)).toEqual(['Gear plan, second', 'Other notes']);

  const token = notion.ledger.all({ path: '/v1/search' }).at(-1)?.headers['authorization'] ?? '';
  await server.ok('revoke_connected_account', { connection_id: connectionId });
  const headers = { authorization: token, 'notion-version': '2025-09-03' };
  expect((await fetch(`${notion.url}/v1/users/me`, { headers })).status).toBe(401);
});

test('a search finds Notion’s folded text, tables, columns and database columns by their words', async () => {
  notion.setQuota(undefined);
  const { id: ada } = notion.addUser({ name: 'Ada Byron' });
  const words = (text: string) => [{ text: { content: text } }];
  const block = (type: string, text: string, more = {}) => ({ [type]: { rich_text: words(text), ...more } });
  const schema = {
    Name: 'title',
    State: 'status',
    Kind: 'select',
    Tags: 'multi_select',
    Due: 'date',
    Owner: 'people',
    Hours: 'number',
    Billed: 'checkbox',
    Site: 'url',
    Mail: 'email',
    Phone: 'phone_number',
    Notes: 'rich_text',
    Unused: 'select',
  } as const;
  const orders = notion.addDatabase({ title: 'Orders', schema });
  const row = notion.seedPage({
    title: 'Flange order',
    by: 'Ada Byron',
    in: orders,
    properties: {
      State: { status: { name: 'Waiting' } },
      Kind: { select: { name: 'Spare part' } },
      Tags: { multi_select: [{ name: 'urgent' }, { name: 'brass' }] },
      Due: { date: { start: '2026-03-02', end: '2026-03-05' } },
      Owner: { people: [{ id: ada }] },
      Hours: { number: 0 },
      Billed: { checkbox: true },
      Site: { url: 'https://flange.example' },
      Mail: { email: 'orders@flange.example' },
      Phone: { phone_number: '+43 1 234' },
      Notes: { rich_text: words('Call first.') },
    },
  });
  const [toggle] = notion.seedBlocks(row.id, [
    block('toggle', 'Details', {
      children: [block('bulleted_list_item', 'One', { children: [block('to_do', 'Two')] })],
    }),
    block('paragraph', 'After the details'),
    {
      table: {
        table_width: 2,
        children: [
          { table_row: { cells: [words('Part'), words('Price')] } },
          { table_row: { cells: [words('Gasket'), words('7')] } },
        ],
      },
    },
    {
      column_list: {
        children: [
          { column: { children: [block('paragraph', 'On the left')] } },
          { column: { children: [block('paragraph', 'On the right')] } },
        ],
      },
    },
    { equation: { expression: 'e=mc^2' } },
    { bookmark: { url: 'https://saved.example', caption: words('Worth reading') } },
  ]);
  let deepest = toggle?.id ?? '';
  for (const depth of ['first', 'second', 'third', 'fourth'])
    deepest = notion.seedBlocks(deepest, [block('toggle', `The ${depth} fold`)])[0]?.id ?? '';
  notion.seedPage({ title: 'A page of its own', by: 'Ada Byron', in: row, text: ['Not of the order.'] });
  await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) =>
    notion.approve(url, { user: 'Ada Byron' }),
  );
  const sync = await startSync(server, { source: 'notion' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  const page = await findFirstPage(server, sync, 'gasket');
  expect(page).toMatchObject({ title: 'Flange order' });
  expect(String(page?.['body']).split('\n').filter(Boolean)).toEqual([
    'State: Waiting',
    'Kind: Spare part',
    'Tags: urgent, brass',
    'Due: 2026-03-02 2026-03-05',
    'Owner: Ada Byron',
    'Hours: 0',
    'Billed: true',
    'Site: https://flange.example',
    'Mail: orders@flange.example',
    'Phone: +43 1 234',
    'Notes: Call first.',
    'Details',
    'One',
    'Two',
    'The first fold',
    'The second fold',
    'The third fold',
    'The fourth fold',
    'After the details',
    'Part, Price',
    'Gasket, 7',
    'On the left',
    'On the right',
    'e=mc^2',
    'https://saved.example',
    'Worth reading',
  ]);
  expect((await findFirstPage(server, sync, '"not of the order"'))?.['title']).toBe('A page of its own');
});

describe('a Notion page that disappears', () => {
  const longAgo = new Date(Date.now() - 400 * 86_400_000);
  const seed = (title: string, place?: NonNullable<SeedPage['in']>) =>
    notion.seedPage({ title, by: 'Ada', text: ['Words.'], at: longAgo, ...(place && { in: place }) });
  const titles = () => listPageTitles(server, sync);
  const read = () => runSync(server, sync);
  let sync: Sync;
  let plan: Page;
  let shelf: Page;
  let tasks: Database;
  beforeAll(async () => {
    notion.setQuota(undefined);
    for (const { id } of notion.pages()) notion.share(id, false);
    plan = seed('Plan');
    shelf = seed('Shelf');
    seed('Below the shelf', shelf);
    tasks = notion.addDatabase({ title: 'Tasks', schema: { Name: 'title' } });
    seed('Row', tasks);
    await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) => notion.approve(url, { user: 'Ada' }));
    sync = await startSync(server, { source: 'notion', days: null });
    expect(await titles()).toEqual(['Below the shelf', 'Plan', 'Row', 'Shelf']);
  });

  test('is removed here while it is in the trash', async () => {
    notion.touchPage(plan.id, { inTrash: true });
    expect(await read()).toMatchObject({ pages_changed: 1, errors: [] });
    expect(await titles()).not.toContain('Plan');
    notion.touchPage(plan.id, { inTrash: false });
    await read();
    expect(await titles()).toContain('Plan');
  });

  test('is removed with its children, in pages and in databases', async () => {
    notion.touchPage(shelf.id, { inTrash: true });
    notion.touchDatabase(tasks.id, { inTrash: true });
    await read();
    expect(await titles()).toEqual(['Plan']);
    notion.touchPage(shelf.id, { inTrash: false });
    notion.touchDatabase(tasks.id, { inTrash: false });
    await read();
    expect(await titles()).toEqual(['Below the shelf', 'Plan', 'Row', 'Shelf']);
  });

  test('is removed when it is no longer shared, and returns when it is shared, however long ago it was edited', async () => {
    notion.share(shelf.id, false);
    await read();
    expect(await titles()).toEqual(['Plan', 'Row']);
    notion.share(shelf.id, true);
    expect(await read()).toMatchObject({ pages_changed: 2 });
    expect(await titles()).toContain('Below the shelf');
  });

  test('stays when only search does not find it', async () => {
    notion.index(plan.id, false);
    expect(await read()).toMatchObject({ pages_changed: 0, errors: [] });
    expect(await read()).toMatchObject({ pages_changed: 0, errors: [] });
    expect(await titles()).toContain('Plan');
    notion.touchPage(plan.id, { inTrash: true });
    await read();
    expect(await titles()).not.toContain('Plan');
  });
});

test('rollups, relations, unique ids, formulas and people of a row are on its page', async () => {
  const { id: user } = notion.addUser({ name: 'Ines Vidal' });
  const orders = notion.addDatabase({ title: 'Ships', schema: { Name: 'title' } });
  const yard = notion.seedPage({ title: 'Northern yard', by: 'Ines Vidal' });
  const person = (name: string) => ({ object: 'user', id: user, name });
  const words = (text: string) => [{ type: 'text', plain_text: text }];
  const array = [
    { type: 'rich_text', rich_text: words('keelbolt') },
    { type: 'title', title: words('Mast') },
    { type: 'select', select: { name: 'oak' } },
    { type: 'number', number: 0 },
    { type: 'date', date: { start: '2026-03-02', end: '2026-03-05' } },
    { type: 'people', people: [person('Pere Soler'), person('Ines Vidal')] },
  ];
  notion.seedPage({
    title: 'Schooner',
    by: 'Ines Vidal',
    in: orders,
    computed: {
      Total: { id: 'a', type: 'rollup', rollup: { type: 'number', number: 4711, function: 'sum' } },
      Parts: { id: 'b', type: 'rollup', rollup: { type: 'array', function: 'show_original', array } },
      Last: { id: 'c', type: 'rollup', rollup: { type: 'date', date: { start: '2026-01-01', end: null } } },
      Number: { id: 'd', type: 'unique_id', unique_id: { prefix: 'SHIP', number: 88 } },
      Plain: { id: 'e', type: 'unique_id', unique_id: { prefix: null, number: 9 } },
      Author: { id: 'f', type: 'created_by', created_by: person('Ines Vidal') },
      Edited: { id: 'g', type: 'last_edited_by', last_edited_by: person('Pere Soler') },
      Sound: { id: 'h', type: 'formula', formula: { type: 'boolean', boolean: false } },
      Yard: { id: 'i', type: 'relation', relation: [{ id: yard.id }, { id: crypto.randomUUID() }], has_more: false },
      None: { id: 'j', type: 'relation', relation: [], has_more: false },
    },
  });
  const account = await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) =>
    notion.approve(url, { user: 'Ines Vidal' }),
  );
  const sync = await startSync(server, { source: 'notion', account });
  const body = String((await findFirstPage(server, sync, 'keelbolt'))?.['body']);
  expect(body.split('\n').filter(Boolean)).toEqual([
    'Total: 4711',
    'Parts: keelbolt, Mast, oak, 0, 2026-03-02 2026-03-05, Pere Soler, Ines Vidal',
    'Last: 2026-01-01',
    'Number: SHIP-88',
    'Plain: 9',
    'Author: Ines Vidal',
    'Edited: Pere Soler',
    'Sound: false',
    'Yard: Northern yard',
  ]);
  expect(sync).toMatchObject({ errors: [], left_out: [{ why: expect.stringContaining('related pages'), items: 1 }] });
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
