import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpJsonEmulator, type HttpJsonEmulator } from '#emulators/http-json/index';
import { signIn, type Browser } from '../../support/google.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

let api: HttpJsonEmulator;
let server: WatchedServer;
let browser: Browser;
let key: string;
beforeAll(async () => {
  api = await startHttpJsonEmulator();
  key = api.key();
  server = await startWatchedServer(api, { THALAMUS_EGRESS_ALLOW: api.url });
  browser = await signIn(server);
});
afterAll(async () => {
  await server.close();
  await api.close();
});
beforeEach(() => {
  for (const { id } of api.items()) api.remove(id);
  api.ledger.clear();
});

/** Links an address with the key, in a header that the service wants. Answers the connection's id, which names it. */
async function link(path: string): Promise<string> {
  const header = { name: 'x-api-key', value: '{token}' };
  const linked = await browser.ok('connect_with_token', {
    provider: 'http_json',
    url: api.url + path,
    token: key,
    header,
  });
  return String(linked['connection_id']);
}

function fill(count: number): void {
  for (let number = 1; number <= count; number += 1)
    api.put({ id: `n${number}`, name: `Part ${number}`, notes: `Shelf ${number}` });
}

test('a JSON service is linked, synced, searched, changed, unlinked and deleted', async () => {
  api.put({ id: 'one', name: 'Gears', notes: 'Oil the saffron bearing.', colour: 'brass' });
  fill(30);
  const account = await link('/items/all');
  const sync = await startSync(server, { source: 'http_json', account });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [], pages_changed: 31 });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'item', title: 'Gears', origin: 'outside', body: 'Oil the saffron bearing.' });
  expect(page?.['frontmatter']).toMatchObject({ colour: 'brass' });

  api.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0, failure: null });
  expect(api.ledger.all().map(({ status }) => status)).toEqual([304]);

  api.put({ id: 'one', name: 'Gears slipped', notes: 'Oiled.' });
  api.remove('n7');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2, errors: [] });
  const titles = await listPageTitles(server, sync);
  expect(titles).toContain('Gears slipped');
  expect(titles).not.toContain('Part 7');

  const ended = await server.ok('revoke_connected_account', { connection_id: account });
  expect(ended).toMatchObject({ revoked_at_provider: false, message: expect.stringContaining('deleted here') });
  api.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({
    status: 'failing',
    failure: expect.stringContaining('unlinked'),
  });
  expect(api.ledger.all()).toEqual([]);
});

test.each([
  ['a Link header', '/items/link', {}],
  ['the address of the next page', '/items/next', {}],
  ['a cursor', '/items/cursor', {}],
  ['counted pages', '/items/page', { paging: { by: 'page', size: 10 }, query: { page: '{{page}}' } }],
  ['an offset', '/items/offset', { paging: { by: 'offset', size: 10 }, query: { offset: '{{page}}' } }],
])('a list that is paged by %s is read to its end', async (_what, path, input) => {
  fill(25);
  const account = await link(path);
  const sync = await startSync(server, { source: 'http_json', account, input });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [], pages_changed: 25, input });
  api.remove('n3');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1, errors: [] });
  await server.ok('stop_sync', { sync_id: sync.sync_id });
});

test('a list that grows beyond its page later is reported then, and deletes nothing', async () => {
  fill(10);
  const sync = await startSync(server, { source: 'http_json', account: await link('/items/page') });
  expect(sync).toMatchObject({ pages_changed: 10, errors: [] });
  api.remove('n1');
  api.put({ id: 'm1', name: 'Late 1' });
  api.put({ id: 'm2', name: 'Late 2' });
  expect(await runSync(server, sync)).toMatchObject({ errors: [{ item: 'the list' }] });
  expect(await listPageTitles(server, sync)).toContain('Part 1');
});

test('an incomplete list gives the advice how to page, and no item counts as deleted', async () => {
  fill(12);
  const sync = await startSync(server, { source: 'http_json', account: await link('/items/page') });
  expect(sync).toMatchObject({
    pages_changed: 10,
    errors: [{ item: 'the list', message: expect.stringContaining('paging') }],
  });
  api.remove('n2');
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).toContain('Part 2');
});

test('the person’s description sets the changed-since filter and the meaning of each field', async () => {
  fill(3);
  const input = {
    query: { since: '{{since}}' },
    changed_at: 'updated_at',
    title: '{{item.name}} on {{item.notes}}',
    body: ['Stands on {{item.notes}}.'],
    page_type: 'part',
  };
  const sync = await startSync(server, { source: 'http_json', account: await link('/items/all'), input });
  expect(await listPageTitles(server, sync)).toEqual(['Part 1 on Shelf 1', 'Part 2 on Shelf 2', 'Part 3 on Shelf 3']);
  expect(await findFirstPage(server, sync, 'stands')).toMatchObject({ type: 'part' });
  api.put({ id: 'n2', name: 'Part 2', notes: 'Shelf 9' });
  api.ledger.clear();
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect(api.ledger.all()[0]?.query['since']).toMatch(/^20/);
  const again = { source: 'http_json', account: sync['connection_id'], brain_id: sync.brain_id };
  expect(await server.ok('sync_integration', { ...again, input: { page_type: 'note' } })).toMatchObject({
    input: { page_type: 'note' },
  });
});

test.each([
  ['/bad-json', 'JSON'],
  ['/html', 'JSON'],
  ['/redirect-inside', ''],
])('an address that answers %s cannot be linked', async (path, said) => {
  await expect(link(path)).rejects.toThrow(said);
});

test.each([
  ['/null', /no list of items/],
  ['/echo', /no list of items/],
  ['/latin1', /id: no field|nothing/],
  ['/deep', /id: no field|nothing/],
])('an answer of the form of %s is refused, or has no items', async (path, said) => {
  const account = await link(path);
  const { status, body } = await server.call('fetch_from_integration', { source: 'http_json', account, input: {} });
  if (status === 200) expect(body).toMatchObject({ ingested_count: 0 });
  else expect(body['detail']).toMatch(said);
});

test('a pause that the service asks for is kept, and another answer deletes nothing', async () => {
  fill(2);
  const sync = await startSync(server, { source: 'http_json', account: await link('/items/all') });
  api.failures.next({}, { kind: 'status', status: 429, retryAfter: 1 });
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null });
  api.failures.next({}, { kind: 'garbage' });
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing', failure: expect.stringContaining('JSON') });
  expect(await listPageTitles(server, sync)).toEqual(['Part 1', 'Part 2']);
});

test.each([
  [{ paging: { by: 'guess' } }, 'paging'],
  [{ page_type: 'Not A Type' }, 'page_type'],
  [{ unknown: 1 }, 'unknown'],
])('the input %j is refused, and the error names it', async (input, name) => {
  const account = await link('/items/all');
  for (const operation of ['sync_integration', 'fetch_from_integration']) {
    const { status, body } = await server.call(operation, { source: 'http_json', account, input });
    expect(status).toBe(422);
    expect(body['detail']).toContain(name);
  }
});

test.each([
  [{ title: '{{item.nam}}' }, 'title: no item has item.nam. There are: item.id, item.name'],
  [{ title: 'nam' }, 'title: no item has item.nam.'],
  [{ title: '{{item.name' }, 'title: a placeholder of {{item.name cannot be read'],
  [{ body: ['{{name}}'] }, 'body: no item has name. There are: item.id, item.name'],
  [
    { query: { after: '{{sinse}}' } },
    'the placeholder {{sinse}} is unknown: there is no sinse among since, until, page',
  ],
])('a description %j that does not fit the items is reported, and nothing is stored', async (input, said) => {
  fill(2);
  const account = await link('/items/all');
  const { status, body } = await server.call('fetch_from_integration', { source: 'http_json', account, input });
  expect(status).toBe(422);
  expect(body['detail']).toContain(said);
});

test('an address of a service that writes on GET is never asked', async () => {
  const url = 'https://api.telegram.org/bot1:a/sendMessage?chat_id=1&text=Hi';
  const linking = browser.ok('connect_with_token', { provider: 'http_json', url });
  await expect(linking).rejects.toThrow(/Telegram Bot API changes data on GET requests/);
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks({ 'the key of the service': key })).toEqual([]);
});
