// Tests every protocol with a server by other authors, on a real port.
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { llmProviders, type Llm, type Meter, type Tokens } from './index.ts';
import { createLlmAt, testKey } from './llm-at.ts';

const server = new LLMock({ port: 0 });
const schema = z.object({ city: z.string(), days: z.number() });

beforeAll(async () => {
  server.onMessage(/Where to/, { content: '{"city":"Oslo","days":3}', usage: { ...chat, ...messages } });
  server.onMessage(/in a fence/, { content: 'Here it is:\n```json\n{"city":"Bergen","days":2}\n```' });
  server.onMessage(/not an object/, { content: 'Oslo, I think.', usage: { ...chat, ...messages } });
  server.onMessage(/Say hello/, { content: 'Hello there, how are you?', usage: { ...chat, ...messages } });
  server.on({ userMessage: /limited/ }, { error: { message: 'Slow down' }, status: 429, retryAfter: 40 });
  await server.start();
});
afterAll(() => server.stop());

const chat = { prompt_tokens: 120, completion_tokens: 30 };
const messages = { input_tokens: 120, output_tokens: 30 };

describe.each(llmProviders)('%s', (provider) => {
  const open = () => createLlmAt(`${server.url}/v1`, provider);

  test('answers in the schema, and reports its usage', async () => {
    const spent: Tokens[] = [];
    const answer = await open().object({ prompt: 'Where to?', schema, onSpent: (tokens) => spent.push(tokens) });
    expect(answer).toEqual({ city: 'Oslo', days: 3 });
    expect(spent).toEqual([{ input: 120, cachedInput: 0, cacheWrite: 0, output: 30 }]);
  });

  test('reads an object although words surround it', async () => {
    expect(await open().object({ prompt: 'Put it in a fence', schema })).toEqual({ city: 'Bergen', days: 2 });
  });

  test('fails on a missing answer, and reports its usage', async () => {
    const spent: Tokens[] = [];
    const asked = open().object({ prompt: 'not an object', schema, onSpent: (tokens) => spent.push(tokens) });
    await expect(asked).rejects.toMatchObject({ code: 'upstream_failed', details: { reason: 'no_answer' } });
    expect(spent).toHaveLength(1);
  });

  test('answers in words, with the system prompt', async () => {
    expect(await open().text({ system: 'Be kind.', prompt: 'Say hello' })).toBe('Hello there, how are you?');
    expect(JSON.stringify(server.getLastRequest()?.body)).toContain('Be kind.');
  });

  test('answers piece by piece', async () => {
    const spent: Tokens[] = [];
    const pieces: string[] = [];
    const stream = open().stream({ prompt: 'Say hello', onSpent: (tokens) => spent.push(tokens) });
    for await (const piece of stream) pieces.push(piece);
    expect(pieces.join('')).toBe('Hello there, how are you?');
    expect(pieces.length).toBeGreaterThan(1);
    // Groq reports it in a separate field, which this server does not know; failures.test.ts covers it.
    if (provider !== 'groq') expect(spent).toEqual([expect.objectContaining({ input: 120, output: 30 })]);
  });

  test('reports how long to wait when it is rate limited', async () => {
    await expect(open().text({ prompt: 'limited' })).rejects.toMatchObject({
      details: { reason: 'rate_limited', retry_after: 40, provider },
    });
  });

  test('sends the key, and nothing of it comes back', async () => {
    await open().text({ prompt: 'Say hello' });
    const { headers } = server.getLastRequest() ?? { headers: {} };
    expect(JSON.stringify(headers)).toMatch(/authorization|x-api-key/i);
    const failure: unknown = await open()
      .text({ prompt: 'Nobody prepared this' })
      .catch((error: unknown) => error);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(testKey);
  });
});

test('sends a short turn to the fast model', async () => {
  const llm = createLlmAt(`${server.url}/v1`, 'groq', 'openai/gpt-oss-20b');
  await llm.text({ prompt: 'Say hello', isShort: true });
  expect(server.getLastRequest()?.body).toMatchObject({ model: 'openai/gpt-oss-20b' });
  expect(llm.getModel({ isShort: true })).toEqual({ provider: 'groq', model: 'openai/gpt-oss-20b', isPrivate: true });
  await llm.text({ prompt: 'Say hello' });
  expect(server.getLastRequest()?.body).toMatchObject({ model: 'openai/gpt-oss-120b' });
});

test("no question is sent without a meter, and a meter's refusal is final", async () => {
  expectTypeOf<keyof Llm>().toEqualTypeOf<'getModel' | 'by'>();
  const refused = new Error('the cap is reached');
  const meter: Meter = { begin: () => Promise.reject(refused) };
  const asking = createLlmAt(`${server.url}/v1`, 'groq', undefined, meter);
  server.clearRequests();
  await expect(asking.text({ prompt: 'Say hello' })).rejects.toBe(refused);
  await expect(asking.object({ prompt: 'Where to?', schema })).rejects.toBe(refused);
  await expect(asking.stream({ prompt: 'Say hello' }).next()).rejects.toBe(refused);
  expect(server.getRequests()).toEqual([]);
});

test('a question states the most tokens that it can use, including its answer', async () => {
  const asked: Tokens[] = [];
  const meter: Meter = {
    begin: async ({ most }) => {
      asked.push(most);
      return { spent: () => {}, end: async () => {} };
    },
  };
  const anthropic = createLlmAt(`${server.url}/v1`, 'anthropic', undefined, meter);
  await anthropic.text({ prompt: 'Say hello', system: '¡Hola!' });
  await anthropic.text({ prompt: 'Say hello', maxOutputTokens: 7 });
  expect(asked.map(({ output }) => output)).toEqual([16_000, 7]);
  expect(asked[0]?.input).toBeGreaterThanOrEqual(Buffer.byteLength('Say hello¡Hola!'));
  expect(
    server
      .getRequests()
      .slice(-2)
      .map(({ body }) => body?.max_tokens),
  ).toEqual([16_000, 7]);
});
