import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const secret = 'llm-secret-key-0123456789';
const model = new LLMock({ port: 0 });
let server: TestServer;
let database: OwnerDatabase;
let close: () => Promise<void>;
let me: { person: string; workspace: string };

type Row = Record<string, unknown>;
const list = async (input: object = {}, key?: string) =>
  (await server.ok('list_llm_usage', input, key ? { key } : {}))['usage'] as Row[];
const act = (request: string) => server.call('act_on_integration', { source: 'gmail', request });

beforeAll(async () => {
  const payload = JSON.stringify({ to: ['ana@example.com'], subject: 'Friday', body: 'See you on Friday.' });
  const answer = { kind: 'action', action: 'send_email', payload, question: null, reason: null };
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  model.onMessage(/tell ana@example.com/, { content: JSON.stringify(answer), usage });
  model.onMessage(/answer nonsense/, { content: 'Nonsense!', usage });
  model.on({ userMessage: /out of credit/ }, { error: { message: 'Your credit balance is too low' }, status: 400 });
  model.onMessage(/the word ready/, { content: 'ready', usage: { input_tokens: 20, output_tokens: 2 } });
  await model.start();
  const started = await startServerWithGoogle({
    THALAMUS_LLM_PROVIDER: 'anthropic',
    THALAMUS_LLM_MODEL: 'claude-sonnet-5-5',
    THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
    THALAMUS_LLM_API_KEY: secret,
    THALAMUS_LLM_FAST_MODEL: 'claude-haiku-5-5',
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

/** A question by somebody, some time ago; without an outcome it is still running. */
async function insertQuestion(question: {
  person?: string;
  minutesAgo: number;
  tag?: string;
  model?: string;
  micro?: number | null;
  outcome?: string;
}) {
  const {
    person = me.person,
    minutesAgo,
    tag = 'telegram',
    model: name = 'claude-haiku-5-5',
    micro = null,
    outcome = 'running',
  } = question;
  await database.rows(
    `insert into llm_usage (id, workspace_id, person_id, tag, provider, model, outcome, cost_micro_usd, input_tokens, output_tokens, request_id, started_at)
     values (gen_random_uuid(), $1, $2, $3, 'anthropic', $4, $5, $6, $7, $7, 'r', now() - make_interval(mins => $8))`,
    [me.workspace, person, tag, name, outcome, micro, micro === null ? null : 10, minutesAgo],
  );
}

describe('a free-text request', () => {
  test('leaves one row with its usage and cost', async () => {
    const { status, headers } = await act('Please tell ana@example.com that we meet on Friday');
    expect(status).toBe(200);
    expect(await list({ tag: 'act_on_integration' })).toEqual([
      {
        usage_id: expect.any(String),
        at: expect.any(String),
        tag: 'act_on_integration',
        person_id: me.person,
        provider: 'anthropic',
        model: 'claude-sonnet-5-5',
        input_tokens: 1_000,
        cached_input_tokens: 0,
        output_tokens: 100,
        cost_usd: 0.003, // 1,000 at $2 and 100 at $10 per million
        duration_ms: expect.any(Number),
        outcome: 'ok',
        failure: null,
        request_id: headers.get('x-request-id'),
      },
    ]);
  });

  test('costs the same when its answer is useless', async () => {
    expect((await act('Please answer nonsense')).status).toBe(502);
    expect((await list({ limit: 1 }))[0]).toMatchObject({ outcome: 'failed', failure: 'no_answer', cost_usd: 0.003 });
  });

  test('shows why the provider refused it, and has no cost', async () => {
    const { body } = await act('Please say we are out of credit');
    expect(body).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining('credit') });
    const [row] = await list({ limit: 1 });
    expect(row).toMatchObject({ outcome: 'failed', failure: 'no_credit', cost_usd: null, input_tokens: null });
  });

  test('does not ask a model when a fixed form covers it', async () => {
    const before = (await list()).length;
    await act('Mail ana@example.com, subject: Hello, body: See you on Friday.');
    expect(await list()).toHaveLength(before);
  });
});

test('the model check tests whether the model answers, and counts its own use', async () => {
  const tried = await server.ok('check_llm');
  expect(tried).toEqual({
    works: true,
    provider: 'anthropic',
    model: 'claude-sonnet-5-5',
    answer: 'ready',
    problem: null,
  });
  await server.ok('check_llm', { which: 'fast' });
  const rows = await list({ tag: 'model_check' });
  expect(rows.map((row) => row['model'])).toEqual(['claude-haiku-5-5', 'claude-sonnet-5-5']);
});

test('questions asked at once have a row each', async () => {
  const before = (await server.ok('list_llm_usage', { tag: 'model_check' }))['total'];
  await Promise.all(Array.from({ length: 8 }, () => server.ok('check_llm')));
  const after = await server.ok('list_llm_usage', { tag: 'model_check', limit: 8 });
  expect(after['total']).toBe(Number(before) + 8);
  const rows = after['usage'] as Row[];
  expect(rows.every((row) => row['outcome'] === 'ok' && row['cost_usd'] === 0.00006)).toBe(true);
  expect(new Set(rows.map((row) => row['request_id'])).size).toBe(8);
});

test('a model that does not answer gives an error with what to do, without the key', async () => {
  model.nextRequestError(401, { message: `invalid x-api-key: ${secret}`, type: 'authentication_error' });
  const tried = await server.ok('check_llm');
  expect(tried).toMatchObject({ works: false, problem: expect.stringContaining('THALAMUS_LLM_API_KEY') });
  expect(JSON.stringify(tried)).not.toContain(secret);
});

test('an unfinished row is marked once no question can still be running', async () => {
  await insertQuestion({ minutesAgo: 5, model: 'died' });
  await insertQuestion({ minutesAgo: 15, model: 'died' });
  expect((await list({ model: 'died' })).map(({ outcome }) => outcome)).toEqual(['running', 'unfinished']);
});

test('rows are found by time, tag, model, provider and person, page by page', async () => {
  for (const minutesAgo of [60, 120, 180])
    await insertQuestion({ minutesAgo, model: 'paged', micro: 5, outcome: 'ok' });
  const since = new Date(Date.now() - 150 * 60_000).toISOString();
  expect(await list({ model: 'paged' })).toHaveLength(3);
  expect(await list({ model: 'paged', since })).toHaveLength(2);
  expect(await list({ model: 'paged', until: since })).toHaveLength(1);
  expect(await list({ model: 'paged', tag: 'model_check' })).toEqual([]);
  expect(await list({ model: 'paged', provider: 'groq' })).toEqual([]);
  expect(await list({ model: 'paged', person_id: me.person })).toHaveLength(3);
  const page = await server.ok('list_llm_usage', { model: 'paged', limit: 2, offset: 2 });
  expect(page).toMatchObject({ total: 3, usage: [expect.anything()] });
});

describe('an overview', () => {
  test('adds up by day, tag and model, and lists the configured models', async () => {
    await database.rows(`delete from llm_usage where tag = 'model_check'`);
    const before = (await server.ok('usage_overview', { days: 1 }))['total'] as Record<string, number>;
    await insertQuestion({ minutesAgo: 0, tag: 'model_check', model: 'added', micro: 250_000, outcome: 'ok' });
    await insertQuestion({ minutesAgo: 0, tag: 'model_check', model: 'added', micro: 500_000, outcome: 'ok' });
    await insertQuestion({ minutesAgo: 0, tag: 'model_check', model: 'added', outcome: 'ok' });
    const overview = await server.ok('usage_overview', { days: 7 });
    expect(overview).toMatchObject({
      of: 'workspace',
      models: {
        main: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
        fast: { provider: 'anthropic', model: 'claude-haiku-5-5' },
      },
    });
    const by = (name: 'by_day' | 'by_tag' | 'by_model'): { cost_usd: number }[] => overview[name];
    expect(by('by_day')).toHaveLength(7);
    expect(by('by_day').at(-1)).toMatchObject({ date: new Date().toISOString().slice(0, 10) });
    const sum = { calls: 3, cost_usd: 0.75, input_tokens: 20, unpriced_calls: 1, failed_calls: 0 };
    expect(by('by_tag')[0]).toMatchObject({ tag: 'model_check', ...sum });
    expect(by('by_model')[0]).toMatchObject({ provider: 'anthropic', model: 'added', ...sum });
    const after = (await server.ok('usage_overview', { days: 1 }))['total'] as Record<string, number>;
    expect(after['cost_usd']).toBeCloseTo((before['cost_usd'] ?? 0) + 0.75);
    const whole = by('by_day').reduce((all, day) => all + day.cost_usd, 0);
    expect((overview['total'] as Row)['cost_usd']).toBeCloseTo(whole);
  });

  test('shows a member their own questions, whichever person they request', async () => {
    const grace = await addPerson(database);
    await insertQuestion({ minutesAgo: 1, person: grace.personId, micro: 1_000, outcome: 'ok' });
    expect(await list({}, grace.key)).toHaveLength(1);
    expect(await list({ person_id: me.person }, grace.key)).toEqual([]);
    const overview = await server.ok('usage_overview', {}, { key: grace.key });
    expect(overview).toMatchObject({ of: 'person', total: { calls: 1, cost_usd: 0.001 } });
    expect(await server.ok('usage_overview', { person_id: grace.personId })).toMatchObject({ total: { calls: 1 } });
  });

  test('shows another workspace nothing', async () => {
    const { key } = await addWorkspace(server);
    expect(await list({}, key)).toEqual([]);
    expect(await server.ok('usage_overview', {}, { key })).toMatchObject({ total: { calls: 0 }, by_tag: [] });
  });
});

test('is empty without a model, and says that none is configured', async () => {
  const plain = await startTestServer();
  const overview = await plain.ok('usage_overview');
  expect(await plain.ok('check_llm')).toMatchObject({ works: false, problem: expect.stringContaining('THALAMUS_LLM') });
  expect(overview).toMatchObject({ models: { main: null, fast: null }, total: { calls: 0, cost_usd: 0 } });
  await plain.close();
});

test('keeps key and question out of the log, at every log level', async () => {
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const url = `${model.url}/v1`;
  const settings = { THALAMUS_LLM_PROVIDER: 'groq', THALAMUS_LLM_BASE_URL: url, THALAMUS_LLM_API_KEY: secret };
  const loud = await startTestServer(settings, { log });
  const failures = [
    () => model.nextRequestError(404, { message: `No model for ${secret}`, code: 'model_not_found' }),
    () => model.nextRequestError(401, { message: `Incorrect API key provided: ${secret}`, code: 'invalid_api_key' }),
    () => model.nextRequestError(500, { message: `fault with ${secret}` }),
  ];
  for (const fail of failures) {
    fail();
    await loud.ok('check_llm');
  }
  await loud.close();
  expect(logged.filter((line) => line.includes('a language model returned no usable answer'))).toHaveLength(2);
  expect(logged.join('')).not.toContain(secret);
  expect(logged.join('')).not.toContain('the word ready');
});

test('the key is in no row of any table', async () => {
  expect(await database.dump()).toContain('act_on_integration');
  expect(await database.dump()).not.toContain(secret);
});
