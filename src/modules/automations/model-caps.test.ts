import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const model = new LLMock({ port: 0 });
let server: TestServer;

beforeAll(async () => {
  model.onMessage(/one word/, { content: 'ready', usage: { input_tokens: 1_000, output_tokens: 100 } });
  model.onMessage(/a long story/, { content: 'Once', usage: { input_tokens: 10, output_tokens: 998 } });
  model.onMessage(/a poem/, { content: 'Roses are', finishReason: 'length' });
  await model.start();
  server = await startTestServer({
    THALAMUS_LLM_PROVIDER: 'anthropic',
    THALAMUS_LLM_MODEL: 'claude-haiku-4-5',
    THALAMUS_LLM_FAST_MODEL: 'claude-small-1',
    THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
    THALAMUS_LLM_API_KEY: 'llm-secret-key-0123456789',
  });
});
afterAll(async () => {
  await server.close();
  await model.stop();
});
beforeEach(() => model.clearRequests());

let made = 0;
async function save(source: string, caps: Record<string, unknown> = {}) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Asking ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'automation_llm_complete' }],
    ...caps,
  });
  return String(automation_id);
}
async function run(automation_id: string) {
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  return server.ok('get_automation_run', { run_id });
}

test('the run counts the tokens and cost of a question, and the temperature reaches the model', async () => {
  const id = await save('return await brains.automation_llm_complete({ prompt: "Say one word.", temperature: 0.3 })');
  const record = await run(id);
  expect(record).toMatchObject({
    status: 'succeeded',
    result: { text: 'ready', usage: { input_tokens: 1_000, output_tokens: 100 }, stop_reason: 'end_turn' },
  });
  expect(JSON.stringify(record)).toContain('0.0015'); // 1,000 at $1 and 100 at $5 per million
  expect(model.getRequests().map(({ body }) => body?.temperature)).toEqual([0.3]);
});

const story = 'brains.automation_llm_complete({ prompt: "Tell a long story.", max_tokens: 998 })';
/** One story costs 0.005, so a cap of 0.00502 allows only one. */
const over = { kill_reason: 'cost_cap', error: 'The daily cost cap is reached.' };

test('questions at the same time cannot pass the cost cap', async () => {
  const id = await save(`return await Promise.all([${story}, ${story}, ${story}])`, { cost_cap_daily_usd: 0.00502 });
  expect(await run(id)).toMatchObject(over);
  expect(model.getRequests().length).toBeLessThanOrEqual(1);
});

test('a run on a day whose cap is used up asks no model, and gives the reason', async () => {
  const id = await save(`return await ${story}`, { cost_cap_daily_usd: 0.00502 });
  expect(await run(id)).toMatchObject({ status: 'succeeded' });
  expect(model.getRequests()).toHaveLength(1);
  expect(await run(id)).toMatchObject(over);
  expect(model.getRequests()).toHaveLength(1);
});

test('a run that has used its tokens ends after the answer, and asks no further question', async () => {
  const id = await save(`await ${story}; return await ${story}`, { max_llm_tokens: 1_008 });
  const error = 'The run has used all its tokens.';
  expect(await run(id)).toMatchObject({ status: 'killed', kill_reason: 'token_cap', error });
  expect(model.getRequests()).toHaveLength(1);
});

test('an answer that reaches its limit is returned incomplete, with the reason', async () => {
  const id = await save('return await brains.automation_llm_complete({ prompt: "Start a poem.", max_tokens: 20 })');
  expect(await run(id)).toMatchObject({ result: { text: 'Roses are', stop_reason: 'max_tokens' } });
});

test("the model of an automation is one of the server's, and answers it", async () => {
  const asking = 'return (await brains.automation_llm_complete({ prompt: "Say one word." })).model';
  const models = ['claude-sonnet-4-6', 'claude-haiku-4-5-20251001', 'claude-small-1'];
  const ids = await Promise.all(models.map((each) => save(asking, { model: each })));
  const results = await Promise.all(ids.map(async (id) => (await run(id)).result));
  expect(results).toEqual(['claude-haiku-4-5', 'claude-haiku-4-5', 'claude-small-1']);
  const refused = { status: 422, body: { detail: expect.stringContaining('claude-haiku-4-5 and claude-small-1') } };
  const other = { automation_id: ids[0], model: 'gpt-unknown' };
  expect(await server.call('update_automation', other)).toMatchObject(refused);
  expect((await server.ok('get_automation', { automation_id: ids[0] })).model).toBe('claude-sonnet-4-6');
});

test('several messages reach the model as separate turns, with the system text and the limit', async () => {
  const messages = `[{ role: "user", content: "Say one word." }, { role: "assistant", content: "Sun" }, { role: "user", content: "Say one word again." }]`;
  const id = await save(
    `return await brains.automation_llm_complete({ messages: ${messages}, system: "Be brief.", max_tokens: 16000 })`,
  );
  expect(await run(id)).toMatchObject({ status: 'succeeded', result: { text: 'ready' } });
  const [asked] = model.getRequests();
  const turns = ((asked?.body?.messages ?? []) as { role: string }[]).filter(({ role }) => role !== 'system');
  expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  const sent = JSON.stringify(asked?.body);
  for (const part of ['Be brief.', 'Sun', 'again', '16000']) expect(sent).toContain(part);
  const beyond = await save(
    'return await brains.automation_llm_complete({ prompt: "Say one word.", max_tokens: 16001 })',
  );
  expect(await run(beyond)).toMatchObject({ status: 'failed', error: expect.stringContaining('max_tokens') });
});

test('what another operation asks a model in a run counts toward the caps of its automation', async () => {
  const columns = [{ name: 'mail' }, { name: 'kind' }];
  const { board_id } = await server.ok('create_board', {
    name: 'Leads',
    datasets: { default: { columns, rows: [{ row_id: 'a', mail: 'Pumps' }] } },
    skills: [{ name: 'Sort', description: 'Sorts', prompt: 'Sort.', reads: ['mail'], fills: ['kind'] }],
  });
  const source = `return await brains.boards.run_skill("${board_id}", "Sort")`;
  const grants = { tool_grants: [{ tool: 'run_board_skill' }] };
  const content = '{"rows":[{"row":1,"c1":"lead"}]}';
  model.onMessage(/Pumps/, { content, usage: { input_tokens: 1_000, output_tokens: 100 } });
  const id = await save(source, { ...grants, cost_cap_daily_usd: 0.001 });
  expect(await run(id)).toMatchObject(over);
  expect(model.getRequests()).toEqual([]);
  const paid = await run(await save(source, { ...grants, cost_cap_daily_usd: 0.2 }));
  expect(paid).toMatchObject({ status: 'succeeded', llm_tokens: 1_100, cost_usd: 0.0015 });
});
