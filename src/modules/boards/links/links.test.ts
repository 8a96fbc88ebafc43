import { beforeAll, expect, test } from 'vitest';
import { startGitHubEmulator } from '#emulators/github/index';
import { startHttpJsonEmulator } from '#emulators/http-json/index';
import { startIcsEmulator } from '#emulators/ics/index';
import { startMondayEmulator } from '#emulators/monday/index';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { linkAccount } from '../../../../tests/support/linking.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';

const github = share(() => startGitHubEmulator());
const monday = share(() => startMondayEmulator({ newOauth: true }));
const api = share(() => startHttpJsonEmulator());
const ics = share(() => startIcsEmulator());
const server = share(() =>
  startTestServer({
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
    THALAMUS_MONDAY_BASE_URL: monday.url,
    THALAMUS_MONDAY_CLIENT_ID: monday.client.id,
    THALAMUS_MONDAY_CLIENT_SECRET: monday.client.secret,
    THALAMUS_EGRESS_ALLOW: `${api.url},${ics.url}`,
  }),
);
const database = share(() => openAsOwner(server.connectionString));
let owner: SignedIn;
let board_id: string;
beforeAll(async () => {
  github.addUser({ login: 'ada' });
  for (const name of ['engine', 'vault']) github.addRepo({ owner: 'ada', name, private: name === 'vault' });
  const pull = { draft: false, head: 'gears', base: 'main' };
  for (const repo of ['ada/engine', 'ada/vault']) {
    github.seedIssue(repo, { author: 'ada', title: 'Gears slip' });
    github.seedIssue(repo, { author: 'ada', title: 'Oil the gears', pull, labels: ['oil'] });
  }
  github.seedRelease('ada/engine', { tag: 'v1', name: 'First', body: '', author: 'ada' });
  ({ board_id } = await server.ok('create_board', { name: 'Linked' }));
  owner = await signInOwner(server, database);
});

const engine = { kind: 'github', ref: { owner: 'ada', repo: 'engine' }, display_name: 'Engine' };
const vault = { kind: 'github', ref: { owner: 'ada', name: 'vault' }, display_name: 'Vault' };
const createLink = (input: object, key?: string) =>
  server.ok('create_board_link', { board_id, ...input }, ...(key ? [{ key }] : []));
const refuse = async (input: object) => (await server.call('create_board_link', { board_id, ...input })).body;
const read = (link_id: unknown, more: object = {}) => server.ok('test_board_link', { link_id, ...more });
const linkGitHub = () =>
  linkAccount(server, { provider: 'github', source: 'github' }, (url) => github.approve(url, { login: 'ada' }));

test('a link to a public repository reads pull requests, issues and releases as anybody, by both names of a repository', async () => {
  const link = await createLink(engine);
  expect(link).toMatchObject({ board_id, ...engine, integration_provider: null, integration_user_id: null });
  expect(link.link_id).toBe(link.id);
  github.ledger.clear();
  expect(await read(link.id)).toMatchObject({
    ok: true,
    adapter_op: 'github.list_open_prs',
    rows: [{ number: 2, title: 'Oil the gears', author: 'ada', labels: ['oil'], head: 'gears', draft: false }],
  });
  expect(github.ledger.all().map(({ headers }) => headers['authorization'])).toEqual([undefined]);
  expect((await read(link.id, { adapter_op: 'github.list_issues' })).rows).toMatchObject([{ title: 'Gears slip' }]);
  expect((await read(link.id, { adapter_op: 'github.list_releases' })).rows).toMatchObject([{ tag: 'v1' }]);
  const byName = await createLink({ ...engine, ref: { owner: 'ada', name: 'engine' } });
  expect((await read(byName.id)).rows).toHaveLength(1);
  const { links } = await server.ok('get_board', { board_id });
  expect(links.map(({ id }) => id)).toEqual([link.id, byName.id]);
  expect((await server.ok('list_board_links', { board_id })).links).toEqual(links);
  expect(await server.ok('delete_board_link', { link_id: byName.id })).toMatchObject({ deleted: true });
  expect((await server.call('test_board_link', { link_id: byName.id })).status).toBe(404);
  expect((await server.ok('list_board_links', { board_id })).links).toHaveLength(1);
});

test('integrations say which of them a board can be linked to', async () => {
  const { integrations } = await server.ok('list_integrations');
  const linkable = integrations.filter(({ supports }) => supports.adapter).map(({ name }) => name);
  expect(linkable.toSorted()).toEqual(['github', 'http_json', 'ics', 'monday']);
});

test('a private repository is not read without an account, the error names the parameter, and with it the account reads', async () => {
  const anonymous = await createLink(vault);
  expect(await read(anonymous.id)).toMatchObject({
    ok: false,
    message: expect.stringContaining('integration_provider: "github"'),
  });
  expect((await refuse({ ...vault, integration_provider: 'github' }))['code']).toBe('conflict');
  await linkGitHub();
  const link = await createLink({ ...vault, integration_provider: 'github' });
  expect(link).toMatchObject({ integration_provider: 'github', integration_user_id: owner.personId });
  expect((await read(link.id)).rows).toMatchObject([{ title: 'Oil the gears' }]);
});

test('the account of somebody else needs an admin, and its person may end the link, though they see no board', async () => {
  const grace = await joinAs(server, database, 'grace@example.com');
  const shared = await server.ok('create_brain', { name: 'Shared' });
  await server.ok('invite_member', { brain_id: shared.brain_id, email: 'grace@example.com', access_level: 'editor' });
  const [account] = await database.rows(`select id from connections where provider = 'github'`);
  const theirs = { ...vault, integration_provider: 'github', integration_user_id: grace.personId };
  expect((await owner.call('create_board_link', { board_id, ...theirs })).body).toMatchObject({ code: 'conflict' });
  await database.rows('update connections set person_id = $2 where id = $1', [account?.['id'], grace.personId]);
  const { board_id: sharedBoard } = await server.ok('create_board', { name: 'Ours', brain_id: shared.brain_id });
  const byMember = { board_id: sharedBoard, ...theirs, integration_user_id: owner.personId };
  const member = await grace.call('create_board_link', byMember);
  expect(member.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('admin') });
  const link = await owner.ok('create_board_link', { board_id, ...theirs });
  expect(link).toMatchObject({ integration_user_id: grace.personId });
  expect(await grace.ok('list_board_links')).toMatchObject({ links: [{ id: link['id'] }] });
  expect((await grace.call('test_board_link', { link_id: link['id'] })).status).toBe(404);
  expect(await grace.ok('delete_board_link', { link_id: link['id'] })).toMatchObject({ deleted: true });
  await database.rows('update connections set person_id = $2 where id = $1', [account?.['id'], owner.personId]);
});

test('a link through an account needs the scope for syncs, and one as anybody does not', async () => {
  const scopes = ['boards:read', 'boards:write'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const denied = await server.call(
    'create_board_link',
    { board_id, ...vault, integration_provider: 'github' },
    { key: String(key) },
  );
  expect(denied.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('syncs:write') });
  expect(await createLink(engine, String(key))).toMatchObject({ kind: 'github' });
});

test('a rule that blocks the service, the web or the address stops links, and nothing is asked there', async () => {
  const link = await createLink(engine);
  for (const rule of [
    { effect: 'block', actions: ['read'], sources: ['github'] },
    { effect: 'block', actions: ['read'], sources: ['http'] },
  ]) {
    const scopes = ['boards:read', 'boards:write'];
    const { key } = await server.ok('create_key', { label: 'Blocked', rules: [rule], scopes });
    github.ledger.clear();
    const tested = await server.call('test_board_link', { link_id: link.id }, { key: String(key) });
    expect(tested.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('does not let you read') });
    const made = await server.call('create_board_link', { board_id, ...engine }, { key: String(key) });
    expect(made.body['code']).toBe('forbidden');
    expect(github.ledger.all()).toEqual([]);
  }
});

test('a kind, a target or an operation that does not exist is refused with what there is, and no link is made', async () => {
  const before = (await server.ok('list_board_links', { board_id })).links.length;
  const refused: [object, string][] = [
    [{ ...engine, kind: 'gitlab' }, 'github, monday, ics, http_json'],
    [{ ...engine, ref: { owner: 'ada' } }, 'ref.repo'],
    [{ ...engine, ref: { owner: 'ada', repo: 'a', name: 'b' } }, 'ref.repo'],
    [{ ...engine, ref: { owner: 'ada', repo: 'engine', branch: 'x' } }, 'branch'],
    [{ ...engine, integration_provider: 'monday' }, 'integration_provider'],
    [{ ...engine, integration_user_id: owner.personId }, 'integration_user_id'],
    [{ kind: 'monday', ref: {}, display_name: 'Boards' }, 'integration_provider'],
    [{ kind: 'http_json', ref: {}, display_name: 'Items' }, 'integration_provider'],
    [{ kind: 'http_json', ref: { url: 'ftp://example.com' }, display_name: 'Items' }, 'ref.url'],
    [{ kind: 'ics', ref: { url: 'not an address' }, display_name: 'Team' }, 'ref.url'],
    [{ ...engine, display_name: '' }, 'display_name'],
  ];
  for (const [input, says] of refused)
    expect(await refuse(input)).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining(says) });
  expect((await server.call('create_board_link', { ...engine, board_id: crypto.randomUUID() })).status).toBe(404);
  expect(
    (await refuse({ ...engine, integration_provider: 'github', integration_user_id: crypto.randomUUID() }))['code'],
  ).toBe('not_found');
  expect((await server.ok('list_board_links', { board_id })).links).toHaveLength(before);
  const { id: link_id } = await createLink(engine);
  for (const wrong of [{ adapter_op: 'ics.list_events' }, { adapter_op: 'github.delete' }, { params: { other: 1 } }])
    expect((await server.call('test_board_link', { link_id, ...wrong })).body['code']).toBe('invalid_input');
});

test('Monday boards and items are read through the account, with a field for each column', async () => {
  monday.addUser({ name: 'Ada' });
  const board = monday.addBoard({
    name: 'Engine',
    columns: [{ id: 'status', title: 'State', type: 'status' as const, labels: ['Stuck', 'Done'] }],
  });
  for (let n = 0; n < 120; n += 1)
    monday.seedItem(board.id, { name: `Task ${n}`, by: 'Ada', values: { status: 'Stuck' } });
  await linkAccount(server, { provider: 'monday', source: 'monday' }, (url) => monday.approve(url, { user: 'Ada' }));
  const through = { kind: 'monday', display_name: 'Engine', integration_provider: 'monday' };
  const link = await createLink({ ...through, ref: { board_id: board.id } });
  const items = await read(link.id);
  expect(items).toMatchObject({ ok: true, adapter_op: 'monday.list_items' });
  expect(items.rows[0]).toMatchObject({ name: expect.stringContaining('Task'), State: 'Stuck', author: 'Ada' });
  const all = await createLink({ ...through, ref: {} });
  expect((await read(all.id, { adapter_op: 'monday.list_boards' })).rows).toMatchObject([{ name: 'Engine' }]);
  expect((await read(all.id, { params: { board_id: Number(board.id) } })).rows).toHaveLength(5);
  expect(await read(all.id)).toMatchObject({ ok: false, message: expect.stringContaining('params.board_id') });
});

test('events of a calendar and items of any JSON service are read, paged ones and bare ones', async () => {
  const feed = ics.addFeed('Team');
  const start = new Date(Date.now() + 86_400_000);
  feed.put({ uid: 'a', summary: 'Stand-up', start, rrule: 'FREQ=DAILY;COUNT=3' });
  const calendar = await createLink({ kind: 'ics', ref: { url: feed.url }, display_name: 'Team' });
  const events = await read(calendar.id);
  expect(events.rows.map(({ title, all_day }) => [title, all_day])).toEqual([1, 2, 3].map(() => ['Stand-up', false]));
  for (let n = 0; n < 4; n += 1) api.put({ id: `n${n}`, name: `Part ${n}`, notes: '' });
  for (const path of ['/items/all', '/items/link?per_page=2', '/items/cursor?limit=2', '/items/next?limit=2']) {
    const link = await createLink({ kind: 'http_json', ref: { url: `${api.url}${path}` }, display_name: path });
    expect((await read(link.id)).rows.map(({ id }) => id).toSorted(), path).toEqual(['n0', 'n1', 'n2', 'n3']);
  }
});

test('an answer without a list, a redirect or an error fails the test of a link, and says so', async () => {
  const paths = ['/bad-json', '/html', '/null', '/redirect', '/redirect-inside', '/absent', '/wrong-length'];
  for (const path of paths) {
    const link = await createLink({ kind: 'http_json', ref: { url: `${api.url}${path}` }, display_name: path });
    const { ok, rows, message } = await read(link.id);
    expect([ok, rows], path).toEqual([false, []]);
    expect(message.length, path).toBeGreaterThan(20);
    await server.ok('delete_board_link', { link_id: link.id });
  }
  const inside = { kind: 'http_json', ref: { url: 'http://169.254.169.254/latest' }, display_name: 'Inside' };
  expect((await read((await createLink(inside)).id)).ok).toBe(false);
});

test('the key of a linked service goes to its own host alone', async () => {
  const key = api.key();
  const connect = { provider: 'http_json', url: `${api.url}/items/all`, token: key };
  await owner.ok('connect_with_token', { ...connect, header: { name: 'x-api-key', value: '{token}' } });
  const through = { kind: 'http_json', display_name: 'Items', integration_provider: 'http_json' };
  expect((await read((await createLink({ ...through, ref: {} })).id)).ok).toBe(true);
  const elsewhere = await createLink({ ...through, ref: { url: `${ics.url}/steal` } });
  ics.ledger.clear();
  expect(await read(elsewhere.id)).toMatchObject({ ok: false, message: expect.stringContaining('another host') });
  expect(ics.ledger.all()).toEqual([]);
});

test('a link ends with the person who made it, and with its board', async () => {
  const ida = await joinAs(server, database, 'ida@example.com');
  const { brain_id } = await server.ok('create_brain', { name: 'With Ida' });
  await server.ok('invite_member', { brain_id, email: 'ida@example.com', access_level: 'editor' });
  const { board_id: theirs } = await server.ok('create_board', { name: 'Theirs', brain_id });
  const { id } = await ida.ok('create_board_link', { board_id: theirs, ...engine });
  await owner.ok('remove_person', { person_id: ida.personId });
  const tested = await server.call('test_board_link', { link_id: id });
  expect(tested.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('left') });
  expect((await server.ok('list_board_links', { board_id: theirs })).links[0]?.ended_at).not.toBeNull();
  await server.ok('delete_board', { board_id: theirs, confirm: 'Theirs' });
  expect(await database.rows('select id from board_links where id = $1', [id])).toEqual([]);
});
