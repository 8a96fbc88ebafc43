import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allowKeysToDestroy } from '../../../../tests/support/acting.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

const value = 'canary+http/fetch=5e8c';
let server: TestServer;
let outside: HttpRecorder;
let database: OwnerDatabase;
let member: Awaited<ReturnType<typeof addPerson>>;

beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
  member = await addPerson(database);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});
beforeEach(() => void outside.requests.splice(0));

const createHandle = async (var_scope: string, more: Record<string, unknown> = {}, key = server.key) => {
  const input = { var_scope, var_name: `V_${var_scope}`, value, hosts: [new URL(outside.url).host], ...more };
  return String((await server.ok('set_variable', input, { key }))['handle']);
};
const get = (headers: Record<string, string>, key = server.key, more: Record<string, unknown> = {}) =>
  server.call('http_fetch', { url: `${outside.url}/echo`, headers, ...more }, { key });

describe('http_fetch', () => {
  test('reads JSON as JSON, text as text, and anything else as base64', async () => {
    outside.answer = { headers: { 'content-type': 'application/json' }, body: '{"a":[1]}' };
    expect((await get({})).body).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
      json: { a: [1] },
      truncated: false,
      variables_used: [],
    });
    outside.answer = { headers: { 'content-type': 'text/csv', 'set-cookie': 'session=5e8c' }, body: 'a;b' };
    const text = (await get({})).body;
    expect(text).toMatchObject({ body: 'a;b' });
    expect(text['headers']).not.toHaveProperty('set-cookie');
    outside.answer = { headers: { 'content-type': 'image/png' }, body: Buffer.from([0, 255]) };
    expect((await get({})).body).toMatchObject({ body_base64: 'AP8=' });
  });

  test('accepts an answer of 1 MB, and refuses a longer one', async () => {
    outside.answer = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_000_000) };
    expect((await get({})).body).toMatchObject({ status: 200, truncated: false });
    outside.answer = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_000_001) };
    const { status, body } = await get({});
    expect([502, 413]).toContain(status);
    expect(JSON.stringify(body)).not.toContain('xxx');
  });

  test('fills in a value when sending and redacts it from the answer; the audit row names the source of the credential', async () => {
    const handle = await createHandle('person');
    outside.answer = 'echo';
    const answer = await get({ authorization: `Bearer ${handle}`, 'x-more': 'beside' });
    expect(outside.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${value}`, 'x-more': 'beside' });
    expect(answer.body).toMatchObject({ status: 200, variables_used: [{ name: 'V_person', link: 'owner' }] });
    expect(JSON.stringify(answer.body)).toContain('Bearer [redacted]');
    const rows = await database.rows(`select subject from audit_log where operation = 'http_fetch' order by at desc`);
    expect(rows[0]?.['subject']).toMatchObject({ credentials: [{ var_scope: 'person', link: 'owner' }] });
    expect(JSON.stringify([answer.body, rows])).not.toContain('canary');
  });

  const changing: [string, { url?: string; headers?: object; body?: string }, RegExp][] = [
    ['a header that asks for another method', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }, /another method/],
    ['a body on GET', { body: '{"text":"Hi"}' }, /cannot have a body/],
    ['an address that asks for another method', { url: '/items/1?_method=DELETE' }, /_method/],
  ];
  test.for(changing)('refuses %s, and sends nothing', async ([, more, why]) => {
    const url = new URL(more.url ?? '/', outside.url).href;
    const { status, body } = await server.call('http_fetch', { ...more, url });
    expect(status).not.toBe(200);
    expect(body['detail']).toMatch(why);
    expect(outside.requests).toEqual([]);
  });

  test('asks the policy: a rule of the workspace, of the floor or of a key that blocks http stops it', async () => {
    const { version } = await server.ok('get_policy');
    const block = [{ effect: 'block', sources: ['http'] }];
    await server.ok('set_policy', { version, rules: block });
    expect((await get({})).body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('read http') });
    await server.ok('set_policy', { version: Number(version) + 1, rules: [], floor: block });
    expect((await get({})).body).toMatchObject({ code: 'forbidden' });
    await server.ok('set_policy', { version: Number(version) + 2, rules: [], floor: [] });
    const { key } = await server.ok('create_key', { label: 'No web', rules: block });
    expect((await get({}, String(key))).body).toMatchObject({ code: 'forbidden' });
    expect(outside.requests).toEqual([]);
    expect((await get({})).status).toBe(200);
  });

  test('resolves a handle through the caller’s own credential chain only', async () => {
    const mine = await createHandle('person');
    const shared = await createHandle('org');
    const refused = await get({ authorization: mine }, member.key);
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', detail: /not a handle that this caller can use/ },
    });
    expect(outside.requests).toEqual([]);
    expect((await get({ authorization: shared }, member.key)).body).toMatchObject({
      variables_used: [{ link: 'workspace' }],
    });
  });

  test('uses a brain’s variable for callers who name a brain they may read', async () => {
    const { brain_id } = await server.ok('create_brain', { name: 'Reading' });
    const handle = await createHandle('brain', { scope_id: brain_id });
    expect((await get({ authorization: handle })).status).toBe(422);
    expect((await get({ authorization: handle }, server.key, { brain_id })).body).toMatchObject({
      variables_used: [{ link: 'brain' }],
    });
    expect((await get({ authorization: handle }, member.key, { brain_id })).status).toBe(404);
  });

  test.for(['POST', 'PUT', 'PATCH', 'DELETE'])('%s waits for a person, and nothing leaves', async (method) => {
    const answer = await get({}, server.key, { method, body: `{"by":"${method}"}` });
    expect(answer).toMatchObject({
      status: 200,
      body: { kind: 'draft', action: 'http_request', draft_id: expect.any(String) },
    });
    const confirmed = await server.call('confirm_action', { draft_id: answer.body['draft_id'] });
    expect(confirmed.body).toMatchObject({ code: 'approval_required' });
    expect(outside.requests).toEqual([]);
  });

  test('GET waits, too, where a service changes data on a GET request', async () => {
    const url = 'https://slack.com/api/chat.postMessage?channel=C1&text=Hi';
    expect((await server.call('http_fetch', { url })).body).toMatchObject({
      kind: 'draft',
      preview: { title: expect.stringContaining('slack.com') },
    });
  });

  test('drafts a request with handles, and an approval sends it once with the values', async () => {
    const handle = await createHandle('person');
    await allowKeysToDestroy(server);
    outside.answer = 'echo';
    const headers = { authorization: `Bearer ${handle}`, 'content-type': 'application/json' };
    const { body: drafted } = await get(headers, server.key, { method: 'POST', body: '{"n":1}' });
    expect(JSON.stringify(drafted['preview'])).toContain(handle);
    expect(JSON.stringify(await database.rows('select payload, preview from drafts'))).not.toContain(value);
    const draft_id = drafted['draft_id'];
    const sent = await server.ok('confirm_action', { draft_id, edits: { body: '{"n":2}' } });
    expect(sent).toMatchObject({ status: 'confirmed', result: { status: 200 } });
    expect(JSON.stringify(sent)).not.toContain(value);
    expect(await server.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
    expect(outside.requests).toHaveLength(1);
    expect(outside.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"n":2}',
      headers: { authorization: `Bearer ${value}` },
    });
  });

  test('leaves a draft ambiguous after a lost answer, and does not send it again', async () => {
    outside.answer = 'reset';
    const { body: drafted } = await get({}, server.key, { method: 'POST', body: '{"lost":true}' });
    const sent = await server.ok('confirm_action', { draft_id: drafted['draft_id'] });
    expect(sent['status']).not.toBe('confirmed');
    await expect
      .poll(async () => (await server.ok('get_action', { draft_id: drafted['draft_id'] }))['status'])
      .toBe('ambiguous');
    expect(outside.requests).toHaveLength(1);
  });

  test('fails a draft that the remote server refuses', async () => {
    outside.answer = { status: 400, body: 'no' };
    const { body: drafted } = await get({}, server.key, { method: 'DELETE' });
    const sent = await server.ok('confirm_action', { draft_id: drafted['draft_id'] });
    expect(sent).toMatchObject({ status: 'failed', error: expect.stringContaining('400') });
  });

  test('reaches no private address, and has a timeout', async () => {
    const url = 'http://169.254.169.254/latest/meta-data';
    expect((await server.call('http_fetch', { url })).body).toMatchObject({ code: 'invalid_input' });
    outside.answer = 'silence';
    expect((await get({}, server.key, { timeout_seconds: 1 })).body).toMatchObject({ code: 'upstream_failed' });
  });

  test('keeps text that contains a handle unchanged', async () => {
    const handle = await createHandle('person');
    const { id } = await server.ok('add_memory', { content: `The handle is ${handle}` });
    expect(JSON.stringify(await server.ok('get_memory', { id }))).toContain(handle);
  });
});
