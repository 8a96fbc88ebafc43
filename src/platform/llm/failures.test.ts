// Errors of providers and networks, from a real server that produces them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { LlmProvider, Tokens } from './index.ts';
import { createLlmAt, testKey } from './llm-at.ts';

type AnswerRequest = (response: ServerResponse, body: string, request: IncomingMessage) => void;

let answer: AnswerRequest;
let asked: string[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  asked.push(body);
  answer(response, body, request);
});
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // it is listening, so it has one
});
beforeEach(() => void (asked = []));
afterAll(() => server.closeAllConnections());

function createAnswering(status: number, body: unknown, headers: Record<string, string> = {}): AnswerRequest {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const buildCompletion = (
  content: string,
  usage: unknown = { prompt_tokens: 10, completion_tokens: 2 },
  finish = 'stop',
) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'llama3.1',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
  usage,
});
const buildOpenaiError = (code: string | null, message: string, type = 'invalid_request_error') => ({
  error: { message, type, code },
});
const buildAnthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const refusals: [LlmProvider, number, unknown, reason: string, told: RegExp][] = [
  [
    'anthropic',
    401,
    buildAnthropicError('authentication_error', 'invalid x-api-key'),
    'bad_key',
    /THALAMUS_LLM_API_KEY/,
  ],
  [
    'anthropic',
    400,
    buildAnthropicError('invalid_request_error', 'Your credit balance is too low'),
    'no_credit',
    /credit/,
  ],
  ['anthropic', 404, buildAnthropicError('not_found_error', 'model: claude-x'), 'unknown_model', /THALAMUS_LLM_MODEL/],
  ['anthropic', 400, buildAnthropicError('invalid_request_error', 'prompt is too long: 9 > 8'), 'too_long', /less/],
  ['anthropic', 529, buildAnthropicError('overloaded_error', 'Overloaded'), 'down', /later/],
  ['openai', 401, buildOpenaiError('invalid_api_key', 'Incorrect API key'), 'bad_key', /key/],
  [
    'openai',
    429,
    buildOpenaiError('insufficient_quota', 'You exceeded your current quota', 'insufficient_quota'),
    'no_credit',
    /credit/,
  ],
  ['openai', 404, buildOpenaiError('model_not_found', 'The model does not exist'), 'unknown_model', /another/],
  ['openai', 400, buildOpenaiError('context_length_exceeded', 'maximum context length is 8'), 'too_long', /less/],
  ['groq', 413, buildOpenaiError('rate_limit_exceeded', 'Request too large for model'), 'too_long', /less/],
  ['groq', 429, buildOpenaiError('rate_limit_exceeded', 'Rate limit reached'), 'rate_limited', /Wait/],
  [
    'openai-compatible',
    404,
    { error: { message: 'model "x" not found, try pulling it first' } },
    'unknown_model',
    /pulling/,
  ],
  ['openai-compatible', 502, '<html>Bad gateway</html>', 'down', /later/],
  ['openai-compatible', 400, { error: { message: 'no such parameter' } }, 'not_accepted', /no such parameter/],
];

test.each(refusals)(
  'the provider %s answering %i %o becomes the error %s',
  async (provider, status, body, reason, expectedMessage) => {
    answer = createAnswering(status, body, { 'retry-after': '60' });
    const failure = createLlmAt(url, provider).text({ prompt: 'Hello?' });
    await expect(failure).rejects.toMatchObject({ details: { reason, retry_after: 60 } });
    await expect(failure).rejects.toThrow(expectedMessage);
    expect(asked).toHaveLength(1);
  },
);

test('a temporary error is retried once', async () => {
  const turns = [createAnswering(503, { error: { message: 'busy' } }), createAnswering(200, buildCompletion('Here.'))];
  answer = (...call) => turns.shift()?.(...call);
  expect(await createLlmAt(url).text({ prompt: 'Hello?' })).toBe('Here.');
  expect(asked).toHaveLength(2);
});

test('a key that a provider repeats is in no part of the error', async () => {
  answer = createAnswering(401, buildOpenaiError('invalid_api_key', `Incorrect API key provided: ${testKey}.`));
  const failure: unknown = await createLlmAt(url)
    .text({ prompt: 'Something private' })
    .catch((error: unknown) => error);
  const { message, cause, stack, details } = failure as {
    message: string;
    cause: unknown;
    stack: string;
    details: unknown;
  };
  const all = [message, stack, JSON.stringify(details), String(cause)].join('\n');
  expect(all).toContain('Incorrect API key');
  expect(all).not.toContain(testKey);
  expect(all).not.toContain('Something private');
});

test.each([
  ['no answer within its time', { timeoutMs: 100 }, (() => {}) as AnswerRequest, 'timeout'],
  [
    'an answer that is cut',
    {},
    ((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"id":');
      setTimeout(() => response.destroy(), 20);
    }) as AnswerRequest,
    'unreachable',
  ],
  [
    'an answer without end',
    {},
    ((response) => {
      const pour = () => void (response.destroyed || (response.write('x'.repeat(1_000_000)), setImmediate(pour)));
      pour();
    }) as AnswerRequest,
    'too_large',
  ],
  ['an answer that is not JSON', {}, createAnswering(200, 'Hello!'), 'no_answer'],
  ['an empty answer', {}, createAnswering(200, buildCompletion(' ')), 'no_answer'],
  [
    'an answer that was cut at its length',
    {},
    createAnswering(200, buildCompletion('Once upon', undefined, 'length')),
    'cut',
  ],
  [
    'an answer that was filtered',
    {},
    createAnswering(200, buildCompletion('…', undefined, 'content_filter')),
    'refused',
  ],
])('the provider %s fails with a reason', async (_what, more, answering, reason) => {
  answer = answering;
  await expect(createLlmAt(url).text({ prompt: 'Hello?', ...more })).rejects.toMatchObject({ details: { reason } });
});

test('an unreachable server is reported with its address', async () => {
  await expect(createLlmAt('http://127.0.0.1:9/v1').text({ prompt: 'Hello?' })).rejects.toThrow('http://127.0.0.1:9');
});

test('a cancelled question ends at once, and so does its request', async () => {
  const stop = new AbortController();
  const isClosed = Promise.withResolvers<void>();
  answer = (response) => {
    response.on('close', isClosed.resolve);
    stop.abort();
  };
  const question = createLlmAt(url).text({ prompt: 'Hello?', signal: stop.signal });
  await expect(question).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'cancelled' } });
  await isClosed.promise;
});

describe('impossible numbers of tokens', () => {
  const readSpent = async (usage: unknown) => {
    answer = createAnswering(200, buildCompletion('Here.', usage));
    const spent: Tokens[] = [];
    expect(await createLlmAt(url).text({ prompt: 'Hello?', onSpent: (tokens) => spent.push(tokens) })).toBe('Here.');
    return spent;
  };

  test.each([
    null,
    {},
    { prompt_tokens: 0, completion_tokens: 0 },
    { prompt_tokens: -5, completion_tokens: 2 },
    { prompt_tokens: 10, completion_tokens: 1.5 },
    { prompt_tokens: 10, completion_tokens: 1e15 },
  ])('the value %o is not a number of tokens', async (usage) => {
    expect(await readSpent(usage)).toEqual([]);
  });

  test('a cache count above the input is reduced to the input', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 500 } };
    expect(await readSpent(usage)).toEqual([{ input: 10, cachedInput: 10, cacheWrite: 0, output: 2 }]);
  });
});

test.each([
  [
    'anthropic' as const,
    {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [{ type: 'text', text: 'Here.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, cache_read_input_tokens: 800, cache_creation_input_tokens: 100, output_tokens: 5 },
    },
    { input: 1_000, cachedInput: 800, cacheWrite: 100, output: 5 },
  ],
  [
    'openai' as const,
    {
      id: 'r1',
      object: 'response',
      created_at: 1,
      model: 'gpt-6.1-terra',
      output: [
        {
          type: 'message',
          id: 'm1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Here.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 1_000, input_tokens_details: { cached_tokens: 800 }, output_tokens: 5 },
    },
    { input: 1_000, cachedInput: 800, cacheWrite: 0, output: 5 },
  ],
  [
    'groq' as const,
    buildCompletion('Here.', {
      prompt_tokens: 1_000,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens: 5,
    }),
    { input: 1_000, cachedInput: 800, cacheWrite: 0, output: 5 },
  ],
])('the cached tokens of %s are part of the input, and counted separately', async (provider, body, tokens) => {
  answer = createAnswering(200, body);
  const spent: Tokens[] = [];
  expect(await createLlmAt(url, provider).text({ prompt: 'Hello?', onSpent: (used) => spent.push(used) })).toBe(
    'Here.',
  );
  expect(spent).toEqual([tokens]);
});

test('OpenAI is asked to store nothing', async () => {
  answer = createAnswering(500, {});
  await createLlmAt(url, 'openai')
    .text({ prompt: 'Hello?' })
    .catch(() => {});
  expect(JSON.parse(asked[0] ?? '')).toMatchObject({ store: false });
});

test('a model without structured output gets the schema in words', async () => {
  answer = (response, body, request) => {
    if (body.includes('json_schema'))
      createAnswering(400, buildOpenaiError(null, 'response_format json_schema is not supported'))(
        response,
        body,
        request,
      );
    else createAnswering(200, buildCompletion('```json\n{"city":"Oslo"}\n```'))(response, body, request);
  };
  const schema = z.object({ city: z.string() });
  expect(await createLlmAt(url, 'groq').object({ system: 'Be brief.', prompt: 'Where to?', schema })).toEqual({
    city: 'Oslo',
  });
  expect(asked[1]).toContain('Be brief.');
  expect(asked[1]).toContain('city');
});

describe('a stream', () => {
  const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  const piece = (content: string) => event({ id: '1', choices: [{ index: 0, delta: { content } }] });
  const begin = (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/event-stream' });

  test('is read while it is written', async () => {
    const isRead = Promise.withResolvers<void>();
    answer = async (response) => {
      begin(response);
      response.write(piece('one '));
      await isRead.promise;
      response.end(
        piece('two') + event({ id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + event('[DONE]'),
      );
    };
    const pieces: string[] = [];
    for await (const each of createLlmAt(url).stream({ prompt: 'Count' })) {
      pieces.push(each);
      isRead.resolve();
    }
    expect(pieces).toEqual(['one ', 'two']);
  });

  test('of Groq has its usage in a separate field', async () => {
    answer = (response) => {
      begin(response);
      const usage = { prompt_tokens: 7, completion_tokens: 3 };
      response.end(
        piece('hi') +
          event({ id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { usage } }) +
          event('[DONE]'),
      );
    };
    const spent: Tokens[] = [];
    for await (const _ of createLlmAt(url, 'groq').stream({ prompt: 'Hi', onSpent: (tokens) => spent.push(tokens) }));
    expect(spent).toEqual([{ input: 7, cachedInput: 0, cacheWrite: 0, output: 3 }]);
  });

  test('that is cut off fails after its content so far', async () => {
    answer = (response) => {
      begin(response);
      response.write(piece('one '));
      setTimeout(() => response.destroy(), 30);
    };
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const each of createLlmAt(url).stream({ prompt: 'Count' })) pieces.push(each);
    })();
    await expect(reading).rejects.toMatchObject({ details: { reason: 'unreachable' } });
    expect(pieces).toEqual(['one ']);
  });

  test('without a reader is stopped at the provider', async () => {
    const isClosed = Promise.withResolvers<void>();
    answer = (response) => {
      begin(response);
      response.write(piece('one '));
      response.on('close', isClosed.resolve);
    };
    for await (const each of createLlmAt(url).stream({ prompt: 'Count' })) if (each) break;
    await isClosed.promise;
  });

  test('of Anthropic that ends in an error says so', async () => {
    answer = (response) => {
      begin(response);
      response.end(`event: error\n${event(buildAnthropicError('overloaded_error', 'Overloaded'))}`);
    };
    const reading = (async () => {
      for await (const _ of createLlmAt(url, 'anthropic').stream({ prompt: 'Count' }));
    })();
    await expect(reading).rejects.toMatchObject({ details: { reason: 'down' } });
  });

  test('that is refused has the same error as any question', async () => {
    answer = createAnswering(401, buildOpenaiError('invalid_api_key', 'Incorrect API key'));
    const reading = (async () => {
      for await (const _ of createLlmAt(url).stream({ prompt: 'Count' }));
    })();
    await expect(reading).rejects.toMatchObject({ details: { reason: 'bad_key' } });
  });
});
