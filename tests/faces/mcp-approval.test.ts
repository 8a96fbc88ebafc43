// The approval of a draft within the call of an MCP client, with the SDK's own client.
import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle, type Browser } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let person: Browser;
let agentKey: string;
const clients: Client[] = [];

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  ({ browser: person } = await linkGoogle(server, google));
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(() => close());
beforeEach(() => google.ledger.clear());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

type ElicitQuestion = { mode?: string; message: string; url?: string };
type ReplyToQuestion = (asked: ElicitQuestion) => Promise<ElicitResult> | ElicitResult;
type ElicitationWays = { form?: Record<string, never>; url?: Record<string, never> };

async function connect(
  key: string,
  ways: ElicitationWays,
  reply: ReplyToQuestion,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: ways } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => reply(params as ElicitQuestion)); // either mode has these
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  clients.push(client);
  return client;
}

let number = 0;
function buildRequest() {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Asked ${number}`, body: 'Which day?\nAny.' };
  return { source: 'gmail', action_name: 'send_email', input };
}

async function act(client: Client, args: Record<string, unknown> = buildRequest()): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.callTool({ name: 'act_on_integration', arguments: args });
  return structuredContent as Record<string, unknown>; // every answer has it
}

/** Calls as a client that keeps the rounds in its own hands. */
function round(client: Client, params: Record<string, unknown>) {
  const request = { method: 'tools/call' as const, params: { name: 'act_on_integration', ...params } };
  return client.request(request as never, { allowInputRequired: true }) as Promise<Record<string, unknown>>;
}

const refuseQuestion: ReplyToQuestion = () => {
  throw new Error('nobody was to be asked');
};
const buildDecision = (value: string): ElicitResult => ({ action: 'accept', content: { decision: value } });
const approval = { question: buildDecision('approve') };
const countSent = () => google.ledger.sent().length;

test('a caller that may approve is asked within the call, sees the whole draft, and sends it once', async () => {
  const asked: ElicitQuestion[] = [];
  const client = await connect(server.key, { form: {} }, (params) => {
    asked.push(params);
    return buildDecision('approve');
  });
  expect(await act(client)).toMatchObject({
    kind: 'draft',
    status: 'confirmed',
    result: { message_id: expect.any(String) },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.message).toContain('> noah@example.com');
  expect(asked[0]?.message).toContain('> Which day?\n> Any.');
  expect(countSent()).toBe(1);
});

test('a declined draft is not sent, and a cancelled question leaves it in the inbox', async () => {
  const declining = await connect(server.key, { form: {} }, () => buildDecision('decline'));
  const declined = await act(declining);
  expect(declined).toMatchObject({ status: 'discarded' });
  expect(await server.ok('get_action', { draft_id: declined['draft_id'] })).toMatchObject({ status: 'discarded' });
  const refusing = await connect(server.key, { form: {} }, () => ({ action: 'decline' }));
  expect(await act(refusing)).toMatchObject({ status: 'discarded' });
  const closing = await connect(server.key, { form: {} }, () => ({ action: 'cancel' }));
  const left = await act(closing);
  expect(left).toMatchObject({ kind: 'draft', approval_url: expect.stringContaining('/inbox/') });
  expect(await server.ok('get_action', { draft_id: left['draft_id'] })).toMatchObject({ status: 'pending' });
  expect(countSent()).toBe(0);
});

test('an agent’s client cannot approve for a person: it gets the draft and the link', async () => {
  const client = await connect(agentKey, { form: {} }, refuseQuestion);
  expect(await act(client)).toMatchObject({ kind: 'draft', approval_url: expect.stringContaining('/inbox/') });
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'require_human' }] });
  const owner = await connect(server.key, { form: {} }, refuseQuestion);
  expect(await act(owner)).toMatchObject({ kind: 'draft', approval_url: expect.any(String) });
  await server.ok('set_policy', { version: (version as number) + 1, rules: [] });
  expect(countSent()).toBe(0);
});

test('a client that opens addresses leads the person to the draft, and the call ends with their decision', async () => {
  const client = await connect(agentKey, { url: {} }, async ({ mode, url = '' }) => {
    expect(mode).toBe('url');
    const draftId = url.split('/').at(-1);
    setTimeout(() => void person.ok('confirm_action', { draft_id: draftId }), 150);
    return { action: 'accept' };
  });
  expect(await act(client)).toMatchObject({ status: 'confirmed', result: { message_id: expect.any(String) } });
  expect(countSent()).toBe(1);
});

test('a repeated call is asked about the same draft', async () => {
  const client = await connect(server.key, { form: {} }, refuseQuestion);
  const args = buildRequest();
  const first = await round(client, { arguments: args });
  const second = await round(client, { arguments: args });
  expect([first['resultType'], second['resultType']]).toEqual(['input_required', 'input_required']);
  expect(second['requestState']).not.toBe(first['requestState']);
  const { drafts } = await server.ok('list_pending_actions', { source: 'gmail', detail: 'full' });
  const own = drafts.filter(({ payload }) => payload?.['subject'] === args.input.subject);
  expect(own).toHaveLength(1);
  const old = await round(client, { arguments: args, inputResponses: approval, requestState: first['requestState'] });
  expect(old).toMatchObject({ isError: true, structuredContent: { code: 'conflict' } });
  const done = await round(client, { arguments: args, inputResponses: approval, requestState: second['requestState'] });
  expect(done).toMatchObject({ structuredContent: { status: 'confirmed' } });
  expect(countSent()).toBe(1);
});

test('a reply that is altered, replayed, foreign or late decides nothing', async () => {
  const client = await connect(server.key, { form: {} }, refuseQuestion);
  const args = buildRequest();
  const { requestState } = await round(client, { arguments: args });
  const refused = { isError: true, structuredContent: { code: 'conflict' } };
  const reply = { arguments: args, inputResponses: approval, requestState };
  const other = { ...args, input: { ...args.input, to: ['eve@elsewhere.org'] } };
  expect(await round(client, { ...reply, arguments: other })).toMatchObject(refused);
  expect(await round(client, { ...reply, requestState: `${String(requestState).slice(0, -1)}_` })).toMatchObject(
    refused,
  );
  const { key } = await server.ok('create_key', {
    label: 'Another',
    scopes: ['actions:draft', 'actions:confirm', 'integrations:read'],
  });
  const foreign = await connect(String(key), { form: {} }, refuseQuestion);
  expect(await round(foreign, reply)).toMatchObject(refused);
  expect(countSent()).toBe(0);
  expect(await round(client, reply)).toMatchObject({ structuredContent: { status: 'confirmed' } });
  expect(await round(client, reply)).toMatchObject(refused);
  expect(countSent()).toBe(1);

  const late = buildRequest();
  const question = await round(client, { arguments: late });
  const database = await openAsOwner(server.connectionString);
  await database.rows(`update drafts set expires_at = now() - interval '1 minute' where status = 'pending'`);
  await database.close();
  const tooLate = { arguments: late, inputResponses: approval, requestState: question['requestState'] };
  expect(await round(client, tooLate)).toMatchObject(refused);
  expect(countSent()).toBe(1);
});

test('a draft that is edited while its question is made is shown with the edit, or not at all', async () => {
  const client = await connect(server.key, { form: {} }, refuseQuestion);
  const args = buildRequest();
  await round(client, { arguments: args });
  const { drafts } = await server.ok('list_pending_actions', { source: 'gmail', detail: 'full' });
  const { draft_id } = drafts.find(({ payload }) => payload?.['subject'] === args.input.subject) ?? {};
  const [holder, watcher] = [await openAsOwner(server.connectionString), await openAsOwner(server.connectionString)];
  await holder.rows('begin');
  await holder.rows('select 1 from drafts where id = $1 for update', [draft_id]);
  const edit = server.ok('edit_action', { draft_id: String(draft_id), edits: { body: 'Which week?' } });
  await waitForLockWaiters(watcher, 1);
  const asked = round(client, { arguments: args });
  await waitForLockWaiters(watcher, 2);
  await holder.rows('commit');
  await edit;
  const { requestState, inputRequests } = await asked;
  await Promise.all([holder.close(), watcher.close()]);
  if (requestState !== undefined) expect(JSON.stringify(inputRequests)).toContain('Which week?');
  expect(countSent()).toBe(0);
  expect(await server.ok('get_action', { draft_id: String(draft_id) })).toMatchObject({ status: 'pending' });
});

/** Waits until this many transactions wait for a locked row. */
async function waitForLockWaiters(database: OwnerDatabase, count: number): Promise<void> {
  const look = () =>
    database.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  await vi.waitFor(async () => expect(await look()).toHaveLength(count), { timeout: 10_000, interval: 20 });
}

test('sixteen replies at once send one mail', async () => {
  const client = await connect(server.key, { form: {} }, refuseQuestion);
  const args = buildRequest();
  const { requestState } = await round(client, { arguments: args });
  const reply = { arguments: args, inputResponses: approval, requestState };
  const answers = await Promise.all(Array.from({ length: 16 }, () => round(client, reply)));
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(countSent()).toBe(1);
});

test('under protocol 2025-11-25 the call returns the draft and its link', async () => {
  const client = await connect(server.key, { form: {}, url: {} }, refuseQuestion, 'legacy');
  expect(await act(client)).toMatchObject({ kind: 'draft', approval_url: expect.stringContaining('/inbox/') });
  expect(countSent()).toBe(0);
});
