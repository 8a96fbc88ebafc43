import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import type { TestServer } from '../../../tests/support/server.ts';

const model = new LLMock({ port: 0 });
let server: TestServer;
let database: OwnerDatabase;
let close: () => Promise<void>;
/** A slow answer waits for this. */
let released = Promise.withResolvers<void>();
let waiting = 0;
let me: { person: string; workspace: string };

/** With these prices a check of the model reserves at most 16 cents, and really costs half a cent. */
beforeAll(async () => {
  const usage = { input_tokens: 10, output_tokens: 500 };
  model.onMessage(/the word ready/, { content: 'ready', usage });
  model.onMessage(/slowly/, async () => {
    waiting += 1;
    await released.promise;
    return { content: 'Done', usage };
  });
  model.onMessage(/unreported/, { content: 'Done' });
  await model.start();
  const started = await startServerWithGoogle({
    THALAMUS_LLM_PROVIDER: 'anthropic',
    THALAMUS_LLM_MODEL: 'ours',
    THALAMUS_LLM_PRICES: 'ours=0/10',
    THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
    THALAMUS_LLM_API_KEY: 'llm-secret-key-0123456789',
    THALAMUS_LLM_DAILY_USD_PERSON: '1',
    THALAMUS_LLM_DAILY_USD_WORKSPACE: '1.5',
    THALAMUS_LLM_DAILY_USD_TRIAL: '0.2',
  });
  ({ server, close } = started);
  started.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, started.google);
  database = await openAsOwner(server.connectionString);
  const { person, workspace } = await server.ok('who_am_i');
  me = { person: (person as { id: string }).id, workspace: (workspace as { id: string }).id };
});
afterAll(async () => {
  await database.close();
  await close();
  await model.stop();
});
afterEach(async () => {
  released = Promise.withResolvers();
  waiting = 0;
  model.clearRequests();
  await database.rows('delete from llm_usage');
});

/** What already counts today. */
async function insertCounted(micro: number, more: { person?: string; reservedFor?: string; isTrial?: boolean } = {}) {
  const { person = me.person, reservedFor = null, isTrial = false } = more;
  await database.rows(
    `insert into llm_usage (id, workspace_id, person_id, tag, provider, model, outcome, charged_micro_usd, reserved_micro_usd, reserved_until, is_trial, request_id, started_at)
     values (gen_random_uuid(), $1, $2, 'telegram', 'groq', 'm', case when $4::interval is null then 'ok' else 'running' end, $3, $3, now() + $4::interval, $5, 'r', now())`,
    [me.workspace, person, micro, reservedFor, isTrial],
  );
}
const check = async (key?: string) => {
  const { status, body } = await server.call('check_llm', {}, key ? { key } : {});
  return { status, detail: String(body['detail'] ?? ''), details: body['details'] };
};

async function createAutomation(source: string) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Asking ${crypto.randomUUID()}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'automation_llm_complete' }, { tool: 'act_on_integration' }],
    cost_cap_daily_usd: 100,
  });
  return automation_id;
}
async function run(automation_id: string) {
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  return server.ok('get_automation_run', { run_id });
}

test('a question that could exceed the daily cap of its person is not asked, whatever part of the product asks it', async () => {
  await insertCounted(900_000);
  expect(await check()).toMatchObject({
    status: 402,
    detail: expect.stringMatching(
      /1\.00 USD.*one person.*0\.90 USD are used.*USD\. Ask again.*THALAMUS_LLM_DAILY_USD_PERSON/,
    ),
    details: { daily_cap: 'person', resets_at: expect.stringContaining('T00:00:00') },
  });
  const act = await server.call('act_on_integration', { source: 'gmail', request: 'Please tell ana@example.com' });
  expect(act).toMatchObject({ status: 402, body: { code: 'plan_limit' } });
  const id = await createAutomation(
    'return await brains.automation_llm_complete({ prompt: "ready?", max_tokens: 16000 })',
  );
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect(await run(id)).toMatchObject({
    status: 'killed',
    kill_reason: 'cost_cap',
    error: expect.stringContaining('one person'),
  });
  expect(model.getRequests()).toEqual([]);
});

test('the cap of the workspace counts everybody, and that of a person only their own', async () => {
  const grace = await addPerson(database);
  await insertCounted(900_000, { person: grace.personId });
  expect(await check()).toMatchObject({ status: 200 });
  await insertCounted(500_000, { person: grace.personId });
  expect(await check()).toMatchObject({ status: 402, details: { daily_cap: 'workspace' } });
});

test('the cap of a person counts what they ask in all their workspaces, also concurrently', async () => {
  const other = await addWorkspace(server);
  await database.rows(
    `update people set identity_id = (select identity_id from people where id = $1) where workspace_id = $2`,
    [me.person, other.workspaceId],
  );
  await database.rows(`update llm_usage set charged_micro_usd = 0`);
  expect(await check(other.key)).toMatchObject({ status: 200 });
  await database.rows(`update identity_spending set spent_micro_usd = 600000`);
  await database.rows(`update llm_usage set charged_micro_usd = 600000`);
  const { caps } = await server.ok('usage_overview');
  expect(caps?.person.spent_usd).toBeCloseTo(0.6);
  expect(caps?.workspace?.spent_usd).toBe(0);
  // Room for two of 16 cents, through any workspace or connection.
  const statuses: number[] = [];
  const ask = async (key?: string) => {
    const act = { source: 'gmail', request: 'Please slowly tell somebody' };
    statuses.push((await server.call('act_on_integration', act, key ? { key } : {})).status);
    if (statuses.length === 4) released.resolve();
  };
  await Promise.all([ask(), ask(other.key), ask(), ask(other.key), ask(), ask(other.key)]);
  expect(statuses.filter((status) => status === 402)).toHaveLength(4);
  expect(model.getRequests().length).toBeLessThanOrEqual(3);
  await database.rows('delete from identity_spending');
});

test('concurrent questions reserve their highest cost first, so that together they stay within the cap', async () => {
  await insertCounted(600_000); // room for two of 16 cents
  const statuses: number[] = [];
  const ask = async () => {
    statuses.push(
      (await server.call('act_on_integration', { source: 'gmail', request: 'Please slowly tell somebody' })).status,
    );
    if (statuses.length === 4) released.resolve();
  };
  await Promise.all(Array.from({ length: 6 }, ask));
  expect(statuses.slice(0, 4)).toEqual([402, 402, 402, 402]);
  expect(model.getRequests()).toHaveLength(2);
  expect(await check()).toMatchObject({ status: 200 }); // what they did not use is available again
});

test('a reservation of a killed process counts until it expires', async () => {
  await insertCounted(900_000, { reservedFor: '5 minutes' });
  expect(await check()).toMatchObject({ status: 402, detail: expect.stringContaining('0.90 USD are reserved') });
  await database.rows(`update llm_usage set reserved_until = now() - interval '1 second'`);
  expect(await check()).toMatchObject({ status: 200 });
});

test('an answer without reported usage counts with the most that it can have cost', async () => {
  const id = await createAutomation(
    'await brains.automation_llm_complete({ prompt: "unreported", max_tokens: 10000 })',
  );
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect(await run(id)).toMatchObject({ status: 'succeeded' });
  const { caps } = await server.ok('usage_overview');
  expect(caps?.person.spent_usd).toBeCloseTo(0.1);
});

test('automations that nobody ever activated share a small cap, including the questions that they cause elsewhere', async () => {
  await insertCounted(150_000, { isTrial: true });
  const source = `return await brains.automation_llm_complete({ prompt: "the word ready", max_tokens: 10000 })`;
  const id = await createAutomation(source);
  expect(await run(id)).toMatchObject({
    kill_reason: 'cost_cap',
    error: expect.stringContaining('nobody ever activated'),
  });
  const inWords = await createAutomation(
    'return await brains.act_on_integration({ source: "gmail", request: "Please tell ana" })',
  );
  expect(await run(inWords)).toMatchObject({ kill_reason: 'cost_cap' });
  expect(model.getRequests()).toEqual([]);
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  expect(await run(id)).toMatchObject({ status: 'succeeded' });
});

test('at a cap the current questions are answered before the run ends', async () => {
  await insertCounted(880_000);
  const ask = 'brains.automation_llm_complete({ prompt: "slowly", max_tokens: 10000 })';
  const id = await createAutomation(`return await Promise.all([${ask}, ${ask}])`);
  await server.ok('update_automation', { automation_id: id, state: 'active' });
  const running = run(id);
  await vi.waitFor(() => expect(waiting).toBe(1));
  released.resolve();
  expect(await running).toMatchObject({ kill_reason: 'cost_cap', cost_usd: 0.005 });
  const { usage } = await server.ok('list_llm_usage', { tag: 'automation' });
  expect(usage).toMatchObject([{ outcome: 'ok', output_tokens: 500 }]);
});

test("the overview shows the caps, but not the workspace's cap to a member", async () => {
  await insertCounted(250_000, { isTrial: true });
  await insertCounted(100_000, { reservedFor: '1 minute' });
  const { caps } = await server.ok('usage_overview');
  expect(caps).toEqual({
    resets_at: expect.stringContaining('T00:00:00'),
    person: { cap_usd: 1, spent_usd: 0.25, reserved_usd: 0.1 },
    trial: { cap_usd: 0.2, spent_usd: 0.25, reserved_usd: 0 },
    workspace: { cap_usd: 1.5, spent_usd: 0.25, reserved_usd: 0.1 },
  });
  const grace = await addPerson(database);
  const theirs = (await server.ok('usage_overview', {}, { key: grace.key })).caps;
  expect(theirs).toMatchObject({ person: { cap_usd: 1, spent_usd: 0 }, workspace: null });
});
