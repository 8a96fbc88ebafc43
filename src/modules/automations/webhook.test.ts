import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

let made = 0;
async function createHooked(source = 'return args.trigger', more: Record<string, unknown> = {}) {
  const { automation_id: id } = await server.ok('save_automation_draft', {
    name: `Hooked ${(made += 1)}`,
    source,
    triggers: [{ kind: 'webhook' }],
    tool_grants: [{ tool: 'add_memory' }],
    ...more,
  });
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  return { id, url: await rotateAddress(id) };
}
const rotateAddress = async (automation_id: string) =>
  (await server.ok('rotate_automation_webhook', { automation_id })).webhook_url;
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  server.request(new URL(url).pathname + new URL(url).search, { method: 'POST', body, headers });
const waitForRun = async (run_id: string) => {
  await expect.poll(async () => (await server.ok('get_automation_run', { run_id })).status).toBe('succeeded');
  return server.ok('get_automation_run', { run_id });
};

test('a POST to its address starts an automation with the body as its payload', async () => {
  const { url } = await createHooked();
  const sent = JSON.stringify({ n: 1, zero: 'a\u0000b', half: '\ud83d' });
  const answer = await post(`${url}?from=shop`, sent, {
    'content-type': 'application/json',
    authorization: 'Bearer x',
  });
  expect(answer.status).toBe(202);
  const { event_id } = (await answer.json()) as { event_id: string };
  const run = await waitForRun(event_id);
  expect(run).toMatchObject({ trigger_kind: 'webhook', mode: 'live' });
  expect(run.result).toMatchObject({
    kind: 'webhook',
    payload: {
      query: { from: 'shop' },
      json: { n: 1, zero: 'a\uFFFDb', half: '\uFFFD' },
      headers: { 'content-type': 'application/json' },
    },
  });
  expect(JSON.stringify(run.payload)).not.toContain('Bearer');
});

test('a body that is not JSON, or is endlessly nested, arrives as text', async () => {
  const { url } = await createHooked('return args.trigger.payload.json ?? args.trigger.payload.body.length');
  for (const [body, expected] of [
    ['a=1&b=2', 7],
    ['['.repeat(20_000), 20_000],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 40_000],
  ] as const) {
    const { event_id } = (await (await post(url, body)).json()) as { event_id: string };
    expect((await waitForRun(event_id)).result).toBe(expected);
  }
});

test('a delivery that is repeated with its id starts one run', async () => {
  const { id, url } = await createHooked();
  const send = async (delivery: string) =>
    ((await (await post(url, '{}', { 'x-github-delivery': delivery })).json()) as { event_id: string }).event_id;
  const ids = await Promise.all(['one', 'one', 'one', 'two'].map(send));
  expect(new Set(ids).size).toBe(2);
  expect((await server.ok('list_automation_runs', { automation_id: id })).runs).toHaveLength(2);
});

test('an address is stored as a hash, shown once, and ends when its owner makes another', async () => {
  const { id, url } = await createHooked();
  const secret = url.split('/').at(-1) ?? '';
  expect(Buffer.from(secret, 'base64url')).toHaveLength(16);
  const [kept] = await database.rows(`select to_jsonb(a) as row from automations a where id = '${id}'`);
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(JSON.stringify(await server.ok('get_automation', { automation_id: id }))).not.toContain(secret);
  const next = await rotateAddress(id);
  expect((await post(url, '{}')).status).toBe(404);
  expect((await post(next, '{}')).status).toBe(202);
});

test('an address that is unknown, of a deleted automation, or without the trigger is not found', async () => {
  const { id, url } = await createHooked();
  const other = new URL(url);
  other.pathname = other.pathname.replace(/[^/]+$/, Buffer.alloc(16, 3).toString('base64url'));
  expect((await post(other.href, '{}')).status).toBe(404);
  await server.ok('update_automation', { automation_id: id, triggers: [{ kind: 'manual' }] });
  expect((await post(url, '{}')).status).toBe(404);
  await server.ok('delete_automation', { automation_id: id });
  expect((await post(url, '{}')).status).toBe(404);
});

test('a paused automation answers that it is paused, and stores nothing', async () => {
  const { id, url } = await createHooked();
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
  expect((await post(url, '{}')).status).toBe(503);
  expect((await server.ok('list_automation_runs', { automation_id: id })).runs).toEqual([]);
});

test('a delivery of more than 256 KB is refused, and the 121st within a minute must wait', async () => {
  const { id, url } = await createHooked();
  expect((await post(url, 'x'.repeat(262_145))).status).toBe(413);
  await server.ok('update_automation', { automation_id: id, source: 'return 1' });
  const statuses = await Promise.all(Array.from({ length: 130 }, async () => (await post(url, '{}')).status));
  expect(statuses.filter((status) => status === 202)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('a key without the scope, and a person who is not the owner, cannot make an address', async () => {
  const { id } = await createHooked();
  const { key } = await server.ok('create_key', { label: 'Agent', scopes: ['automations:read', 'automations:write'] });
  const by = (asked: string) => server.call('rotate_automation_webhook', { automation_id: id }, { key: asked });
  expect((await by(String(key))).status).toBe(403);
  const member = await addPerson(database);
  const given = { source: '1', triggers: [{ kind: 'webhook' }], tool_grants: [{ tool: 'add_memory' }] };
  const theirs = await server.ok('save_automation_draft', { name: 'Of a member', ...given }, { key: member.key });
  const foreign = await server.call('rotate_automation_webhook', { automation_id: theirs.automation_id });
  expect(foreign).toMatchObject({ status: 403, body: { detail: expect.stringContaining('another person') } });
  const manual = await server.ok('save_automation_draft', {
    name: 'By hand',
    source: '1',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  expect((await server.call('rotate_automation_webhook', { automation_id: manual.automation_id })).status).toBe(409);
});

test.for([
  ['skip', undefined, 1],
  ['queue', { overlap: undefined }, 2],
] as const)('deliveries while an automation runs: %s', async ([policy, more, count]) => {
  const endless = 'await new Promise((done) => setTimeout(done, 600_000))';
  const { id, url } = await createHooked(endless, more ?? { overlap: policy });
  const send = async (delivery: string) =>
    ((await (await post(url, '{}', { 'webhook-id': delivery })).json()) as { event_id: string | null }).event_id;
  const [first, second, again] = [await send('one'), await send('two'), await send('one')];
  expect(again, 'a repeated delivery is the same').toBe(first);
  if (policy === 'skip') expect(second).toBeNull();
  const { runs } = await server.ok('list_automation_runs', { automation_id: id });
  expect(runs).toHaveLength(count);
  for (const { run_id } of runs) await server.ok('stop_automation_run', { run_id });
});

test('an automation that skips changes to queue with its first event trigger, unless it says skip again', async () => {
  const monday = [{ kind: 'cron', cron: '0 9 * * 1' }];
  const { id } = await createHooked('return 1', { triggers: [...monday, { kind: 'webhook' }], overlap: 'skip' });
  await server.ok('update_automation', { automation_id: id, triggers: monday });
  const overlap = async (change: object) => {
    await server.ok('update_automation', { automation_id: id, ...change });
    return (await server.ok('get_automation', { automation_id: id })).overlap;
  };
  expect(await overlap({ name: `${id} renamed` })).toBe('skip');
  expect(await overlap({ triggers: [{ kind: 'webhook' }] })).toBe('queue');
  expect(await overlap({ triggers: monday })).toBe('queue');
  expect(await overlap({ triggers: [{ kind: 'webhook' }], overlap: 'skip' })).toBe('skip');
  expect(await overlap({ triggers: [{ kind: 'webhook' }, ...monday] })).toBe('skip');
});

test('calls of its runs do not count against the deliveries of its address', async () => {
  const tool_grants = [{ tool: 'list_boards' }];
  const { url } = await createHooked('for (let n = 0; n < 130; n += 1) await brains.list_boards({})', { tool_grants });
  const { event_id } = (await (await post(url, '{}')).json()) as { event_id: string };
  await waitForRun(event_id);
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push((await post(url, '{}')).status);
  expect(new Set(statuses)).toEqual(new Set([202]));
});

test("an agent that reads a run finds its request's signature redacted, and its owner’s own key sees it", async () => {
  const { url } = await createHooked('return 1');
  const signature = 'sha256=0a1b2c3d';
  const answer = await post(`${url}?sig=${signature}`, '{}', { 'x-hub-signature-256': signature, 'x-kind': 'push' });
  const { event_id: run_id } = (await answer.json()) as { event_id: string };
  await waitForRun(run_id);
  const { key } = await server.ok('create_key', { label: 'Reader', reach: 'owner', scopes: ['automations:read'] });
  const read = await server.ok('get_automation_run', { run_id }, { key });
  expect(read.payload).toMatchObject({ headers: { 'x-hub-signature-256': '[blanked]', 'x-kind': 'push' } });
  expect(JSON.stringify(read)).not.toContain(signature);
  expect(JSON.stringify(await server.ok('get_automation_run', { run_id }))).toContain(signature);
});
