import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let owner: SignedIn;
let service: HttpRecorder;
let other: HttpRecorder;
let search: string;
let agent: string;

beforeAll(async () => {
  [service, other] = [await startHttpRecorder(), await startHttpRecorder()];
  const elsewhere = other.url.replace('127.0.0.1', 'localhost');
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: `${service.url},${elsewhere}` });
  database = await openAsOwner(server.connectionString);
  owner = await signInOwner(server, database);
  search = `${service.url}/v1/search`;
  const scopes = ['automations:read', 'automations:write', 'integrations:fetch', 'actions:draft'];
  agent = String((await server.ok('create_key', { label: 'Agent', scopes, reach: 'owner' })).key);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await Promise.all([service.close(), other.close()]);
});
beforeEach(() => {
  service.requests.splice(0);
  other.requests.splice(0);
  service.answer = { headers: { 'content-type': 'application/json' }, body: '{"results":[{"title":"Bandits"}]}' };
});

const buildGrants = (reads: object[] = [{ method: 'POST', url: search }]) => [
  { tool: 'http_fetch', params: { ...(reads.length && { reads }) } },
];
const buildSource = (request = '{ url: URL, method: "POST", body_json: { query: "bandits" } }') =>
  `const answer = await brains.http_fetch(${request.replace('URL', `"${search}"`)});
return { status: answer.status, ok: answer.ok, results: answer.results ?? null, kind: answer.kind ?? null };`;

let made = 0;
async function save(source = buildSource(), more: object = {}): Promise<string> {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Searching ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: buildGrants(),
    acknowledged_http_fetch_hosts: ['127.0.0.1', 'localhost'],
    ...more,
  });
  return automation_id;
}
const activate = (automation_id: string) => owner.ok('update_automation', { automation_id, state: 'active' });
async function run(automation_id: string, more: object = {}) {
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false, ...more });
  const { result, error } = await server.ok('get_automation_run', { run_id });
  return { run_id, outcome: result ?? error };
}
const listPosts = () => service.requests.filter(({ method }) => method === 'POST');
const drafted = expect.objectContaining({ status: 202, ok: false });
const found = { status: 200, ok: true, results: [{ title: 'Bandits' }], kind: null };

test('a POST to a declared endpoint that nobody accepted is drafted, in runs of a person, too', async () => {
  const automation_id = await save();
  expect((await run(automation_id)).outcome).toEqual(drafted);
  const { run_id } = await owner.ok('run_automation_once', { automation_id, dry_run: false });
  expect((await owner.ok('get_automation_run', { run_id }))['result']).toEqual(drafted);
  expect(service.requests).toEqual([]);
});

test('a key that stands for its person accepts no endpoint, by activating neither', async () => {
  const automation_id = await save();
  await server.ok('update_automation', { automation_id, state: 'active' });
  await server.ok('update_automation', { automation_id, tool_grants: buildGrants() });
  expect((await run(automation_id)).outcome).toEqual(drafted);
  expect((await server.ok('get_automation', { automation_id })).accepted_reads).toEqual([]);
  await owner.ok('update_automation', { automation_id, description: 'Renamed by a person' });
  expect((await run(automation_id)).outcome).toEqual(drafted);
  expect(service.requests).toEqual([]);
});

test('an agent that adds an endpoint leaves a change that shows it and waits for a person', async () => {
  const automation_id = await save(buildSource(), { tool_grants: buildGrants([]) });
  await activate(automation_id);
  const asked = { automation_id, tool_grants: buildGrants() };
  const { waiting_change } = await server.ok('update_automation', asked, { key: agent });
  expect(waiting_change?.asks_for_more.tool_grants).toEqual(buildGrants());
  expect((await run(automation_id)).outcome).toEqual(drafted);
  const change_id = waiting_change?.change_id;
  expect((await server.call('accept_automation_change', { change_id }, { key: agent })).status).toBe(403);
  expect(service.requests).toEqual([]);
  await owner.ok('accept_automation_change', { change_id });
  expect((await run(automation_id)).outcome).toEqual(found);
});

test('an accepted endpoint applies to one source with its values, and a key that changes them posts nothing', async () => {
  const automation_id = await save();
  await activate(automation_id);
  const { run_id, outcome } = await run(automation_id);
  expect(outcome).toEqual(found);
  await server.ok('update_automation', { automation_id, source: `${buildSource()}\n// changed` });
  service.requests.splice(0);
  expect((await run(automation_id)).outcome).toEqual(drafted);
  await server.ok('replay_automation_run', { run_id, same_version: true, dry_run: false });
  expect(listPosts()).toHaveLength(1);
  await activate(automation_id);
  await server.ok('update_automation', { automation_id, settings: { q: 'else' } });
  expect((await run(automation_id)).outcome).toEqual(drafted);
  await owner.ok('update_automation', { automation_id, tool_grants: buildGrants([]) });
  expect((await run(automation_id)).outcome).toEqual(drafted);
  expect(listPosts()).toHaveLength(1);
});

test('a run that waits while its endpoint is taken away posts nothing', async () => {
  const automation_id = await save();
  await activate(automation_id);
  const { run_id } = await run(automation_id);
  await owner.ok('update_automation', { automation_id, tool_grants: buildGrants([]) });
  service.requests.splice(0);
  await server.ok('replay_automation_run', { run_id, dry_run: false });
  expect(service.requests).toEqual([]);
});

test.for<[string, string]>([
  ['another path', '{ url: URL + "/drop", method: "POST", body_json: {} }'],
  ['another query', '{ url: URL, method: "POST", query: { all: "1" }, body_json: {} }'],
  ['PUT', '{ url: URL, method: "PUT", body_json: {} }'],
  ['DELETE', '{ url: URL, method: "DELETE" }'],
  ['a mutation', '{ url: URL, method: "POST", body_json: { query: "mutation { drop }" } }'],
])('an accepted endpoint is drafted with %s', async ([, request]) => {
  const automation_id = await save(buildSource(request));
  await activate(automation_id);
  expect((await run(automation_id)).outcome).toEqual(drafted);
  expect(service.requests).toEqual([]);
});

test.for<[string, string]>([
  ['a header', '{ url: URL, method: "POST", headers: { "X-HTTP-Method-Override": "DELETE" }, body_json: {} }'],
  ['a field', '{ url: URL, method: "POST", body_json: { _method: "DELETE" } }'],
])('an accepted endpoint is refused %s that asks for another method', async ([, request]) => {
  const automation_id = await save(buildSource(request));
  await activate(automation_id);
  expect((await run(automation_id)).outcome).toMatch(/another method/);
  expect(service.requests).toEqual([]);
});

test.for([302, 307, 308])('a redirect by %i is not followed with or after a POST', async (status) => {
  service.answer = { status, headers: { location: `${other.url.replace('127.0.0.1', 'localhost')}/search` } };
  const automation_id = await save();
  await activate(automation_id);
  expect((await run(automation_id)).outcome).toMatch(/redirects/);
  expect([listPosts().length, other.requests]).toEqual([1, []]);
});

test('an accepted endpoint is read by every kind of run, and by fixtures, and drafts nothing', async () => {
  const before = await database.rows('select id from drafts');
  const automation_id = await save(`${buildSource().replace('return {', 'return args.mode === "x" ? 0 : {')}`);
  await activate(automation_id);
  expect((await run(automation_id, { dry_run: true })).outcome).toEqual(found);
  expect((await run(automation_id, { verify_mode: true })).outcome).toEqual(found);
  const { run_id } = await run(automation_id, { dry_run: true });
  expect(listPosts().map(({ url, body }) => [url, body])).toEqual(
    Array.from({ length: 3 }, () => ['/v1/search', '{"query":"bandits"}']),
  );
  const { effects } = await server.ok('save_automation_fixture', { run_id, name: 'A search' });
  expect(effects).toEqual([]);
  expect(await server.ok('test_automation', { automation_id })).toMatchObject({ passed: true });
  expect(listPosts()).toHaveLength(3);
  expect(await database.rows('select id from drafts')).toEqual(before);
});

test('GraphQL is read by the one text that was accepted, with any variables', async () => {
  const url = `${service.url}/graphql`;
  const graphql = 'query Find($q: String!) { search(q: $q) { title } }';
  const tool_grants = buildGrants([{ method: 'POST', url, graphql }]);
  const ask = (text: string) => `await brains.http_fetch({ url: "${url}", method: "POST",
    body_json: { query: ${JSON.stringify(text)}, variables: { q: "{bandits}" } } })`;
  const source = `return [(${ask(graphql)}).status, (${ask(`${graphql} `)}).status, (${ask('mutation { drop }')}).status];`;
  const automation_id = await save(source, { tool_grants });
  await activate(automation_id);
  expect((await run(automation_id)).outcome).toEqual([200, 202, 202]);
  expect(listPosts()).toHaveLength(1);
});

test('a rule that blocks http blocks an accepted endpoint, too', async () => {
  const automation_id = await save();
  await activate(automation_id);
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'block', sources: ['http'] }] });
  const { outcome } = await run(automation_id);
  await server.ok('set_policy', { version: Number(version) + 1, rules: [] });
  expect(outcome).toMatch(/read http/);
  expect(service.requests).toEqual([]);
});

test('saving refuses endpoints that no person could judge', async () => {
  for (const line of [
    { method: 'PUT', url: search },
    { method: 'POST', url: 'https://elsewhere.example/search' },
    { method: 'POST', url: `${service.url}/graphql` },
    { method: 'POST', url: `${service.url}/graphql`, graphql: 'mutation { drop }' },
  ]) {
    const { status, body } = await server.call('save_automation_draft', {
      name: 'Refused',
      source: '1',
      triggers: [{ kind: 'manual' }],
      tool_grants: buildGrants([line]),
      acknowledged_http_fetch_hosts: ['127.0.0.1'],
    });
    expect([status, body['detail']]).toEqual([422, expect.stringContaining('reads of http_fetch')]);
  }
});
