import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const value = 'canary-sk-live-77aa';
let server: TestServer;
let outside: HttpRecorder;
let database: OwnerDatabase;
let host: string;
let id: string;

/** A script that reads with a secret, and sends a POST. */
const source = `import { brains } from "https://brains/sdks/automation-sdk-v1.ts";
const seen = await brains.http_fetch({ url: "URL/charges", headers: { Authorization: "Bearer {{stripe_api_key}}" } });
const posted = await fetch("URL/notes", { method: "POST", headers: { "X-Key": "{{stripe_api_key}}" }, body: JSON.stringify({ n: 1 }) });
return { authorization: seen.headers.authorization, status: posted.status, draft: await posted.json() };`;

beforeAll(async () => {
  outside = await startHttpRecorder();
  outside.answer = 'echo';
  host = new URL(outside.url).hostname;
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
  await server.ok('automation_secret_set', { name: 'stripe_api_key', value, hosts: [new URL(outside.url).host] });
  const saved = await server.ok('save_automation_draft', {
    name: 'Outside',
    source: source.replaceAll('URL', outside.url),
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'http_fetch' }],
    acknowledged_http_fetch_hosts: [host],
  });
  id = saved.automation_id;
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});
beforeEach(() => void outside.requests.splice(0));

async function run(more: Record<string, unknown> = {}, automation_id = id) {
  const once = await server.ok('run_automation_once', { automation_id, ...more });
  return { once, record: await server.ok('get_automation_run', { run_id: once.run_id }) };
}

test('a secret reaches its host, but not the code, the record or a draft; requests that change something are drafted', async () => {
  const { record } = await run({ dry_run: false });
  expect(record).toMatchObject({ status: 'succeeded', error: null });
  expect(outside.requests.map(({ method, headers }) => [method, headers.authorization])).toEqual([
    ['GET', `Bearer ${value}`],
  ]);
  const result = record.result as { authorization: string; status: number; draft: { kind: string; draft_id: string } };
  expect(result).toMatchObject({ authorization: 'Bearer [redacted]', status: 202, draft: { kind: 'draft' } });
  const draft = await server.ok('get_action', { draft_id: result.draft.draft_id });
  expect(draft).toMatchObject({ status: 'pending', drafted_by: 'Automation Outside' });
  const kept = await database.rows(
    'select to_jsonb(d) as d from drafts d union all select to_jsonb(r) from automation_runs r',
  );
  expect(JSON.stringify([kept, record])).not.toContain(value);
});

test('a later run of the same automation does not repeat a pending draft', async () => {
  const [one, two] = [await run({ dry_run: false }), await run({ dry_run: false })];
  const readDraftId = ({ record }: typeof one) => (record.result as { draft: { draft_id: string } }).draft.draft_id;
  expect(readDraftId(one)).toBe(readDraftId(two));
});

test('a dry run shows the drafts it would make, and makes none', async () => {
  const before = await database.rows('select id from drafts');
  const { record } = await run();
  expect(record.result).toMatchObject({
    status: 202,
    draft: {
      kind: 'noop',
      reason: expect.stringContaining('dry run'),
      preview: { title: expect.stringContaining('POST') },
    },
  });
  expect(await database.rows('select id from drafts')).toEqual(before);
});

test('verify mode refuses every request that would leave the server', async () => {
  const { once } = await run({ verify_mode: true });
  expect(once).toMatchObject({ status: 'failed', error: expect.stringContaining('verify_mode') });
  expect(outside.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('a policy that allows everything does not let an automation send without approval', async () => {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'allow' }] });
  const { record } = await run({ dry_run: false });
  expect(record.result).toMatchObject({ draft: { kind: 'draft' } });
  expect(outside.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('code does not reach unacknowledged hosts, not even by fetch, and saving asks for them', async () => {
  const grant = { triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'http_fetch' }] };
  const none = await server.call('save_automation_draft', { name: 'None', source: '1', ...grant });
  expect(none.body).toMatchObject({
    code: 'invalid_input',
    detail: expect.stringContaining('acknowledged_http_fetch_hosts'),
  });
  const { automation_id } = await server.ok('save_automation_draft', {
    ...grant,
    name: 'Elsewhere',
    source: `try { await fetch("${outside.url}/x") } catch (e) { return e.code }`,
    acknowledged_http_fetch_hosts: ['api.example.com'],
  });
  expect((await run({}, automation_id)).record.result).toBe('forbidden');
  expect(outside.requests).toEqual([]);
});

test('a handle works as an HMAC key, and its value stays on the server', async () => {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Signing',
    source:
      'return [await env.helpers.hmacSha256Hex("text", "{{stripe_api_key}}"), await env.helpers.hmacSha256Hex("text", "plain")]',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  const { createHmac } = await import('node:crypto');
  const expected = [value, 'plain'].map((key) => createHmac('sha256', key).update('text').digest('hex'));
  expect((await run({}, automation_id)).record.result).toEqual(expected);
});

test('code confirms nothing by default, and with permission only its own safe drafts', async () => {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Confirming',
    source: `const draft = await brains.http_fetch({ url: "${outside.url}/safe", method: "POST", body: "1" });
try { await brains.confirm_action({ draft_id: draft.draft_id }); return "sent" } catch (e) { return e.code }`,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'http_fetch' }, { tool: 'confirm_action' }],
    acknowledged_http_fetch_hosts: [host],
    write_policy: 'auto_confirm_safe',
  });
  expect((await run({ dry_run: false }, automation_id)).record.result).toBe('approval_required');
  expect(outside.requests).toEqual([]);
});

test('the server offers the SDK with the types of every operation', async () => {
  const response = await server.request('/sdks/automation-sdk-v1.ts');
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('typescript');
  expect(text).toContain('export const brains');
  expect(text).toContain('interface AddMemoryInput');
});
