import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import type { TestServer } from '../../../tests/support/server.ts';

/** Answers as an OpenAI-compatible server does, on a real port. */
const model = new LLMock({ port: 0 });
let server: TestServer;
let close: () => Promise<void>;

function answerRequests(pattern: RegExp, answer: Record<string, unknown>): void {
  const whole = { kind: 'action', action: null, payload: null, question: null, reason: null, ...answer };
  model.onMessage(pattern, { content: JSON.stringify(whole) });
}

beforeAll(async () => {
  const mail = (to: string) => JSON.stringify({ to: [to], subject: 'Friday', body: 'See you on Friday.' });
  answerRequests(/tell ana@example.com/, { action: 'send_email', payload: mail('ana@example.com') });
  answerRequests(/tell diana@example.com/, { action: 'send_email', payload: mail('ana@example.com') });
  answerRequests(/tell Omer/, { action: 'send_email', payload: mail('omer@example.com') });
  answerRequests(/tell bo@example.com/, { action: 'send_email', payload: '{"to": "bo@example.com"}' });
  await model.start();
  const started = await startServerWithGoogle({
    THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
    THALAMUS_LLM_MODEL: 'test-model',
    THALAMUS_LLM_API_KEY: 'llm-secret-key',
  });
  ({ server, close } = started);
  started.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, started.google);
});
afterAll(async () => {
  await close();
  await model.stop();
});

const act = (request: string) => server.ok('act_on_integration', { source: 'gmail', request });

test('with a model a free-text request is drafted, and still waits for approval', async () => {
  expect(await act('Please tell ana@example.com that we meet on Friday')).toMatchObject({
    kind: 'draft',
    payload: { to: ['ana@example.com'], subject: 'Friday' },
  });
});

test('an address that the request does not name gets a question back, whatever the model says', async () => {
  expect(await act('Please tell Omer that we meet on Friday')).toMatchObject({
    kind: 'clarification',
    question: expect.stringContaining('omer@example.com'),
  });
});

test('a part of an address in the request does not count as an address', async () => {
  expect(await act('Please tell diana@example.com that we meet on Friday')).toMatchObject({
    kind: 'clarification',
    question: expect.stringContaining('ana@example.com'),
  });
});

test('fields of a wrong form get a question back', async () => {
  expect(await act('Please tell bo@example.com that we meet on Friday')).toMatchObject({ kind: 'clarification' });
});

test('a model without a usable answer is a clear error, and its key appears nowhere', async () => {
  const { status, body } = await server.call('act_on_integration', {
    source: 'gmail',
    request: 'Something nobody prepared',
  });
  expect(status).toBe(502);
  expect(JSON.stringify(body)).not.toContain('llm-secret-key');
});
