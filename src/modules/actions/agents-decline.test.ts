import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../../tests/support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let outside: HttpRecorder;
let one: string;
let other: string;

beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  [one, other] = [await createKey('One'), await createKey('Other')];
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const createKey = async (label: string) => String((await server.ok('create_key', { label }))['key']);
let made = 0;
async function createDraft(key: string): Promise<string> {
  const body = JSON.stringify({ n: (made += 1) });
  const drafted = await server.ok('http_fetch', { url: `${outside.url}/x`, method: 'POST', body }, { key });
  return String(drafted['draft_id']);
}
const readStatus = async (draft_id: string) => (await server.ok('get_action', { draft_id })).status;

test('an agent can decline its own draft, but none of another agent or of its person', async () => {
  const own = await createDraft(one);
  expect((await server.call('discard_action', { draft_id: own }, { key: one })).body).toMatchObject({
    status: 'discarded',
  });
  for (const draft_id of [await createDraft(other), await createDraft(server.key)]) {
    const refused = await server.call('discard_action', { draft_id }, { key: one });
    expect(refused.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('only its own drafts') });
    const { results } = await server.ok('discard_actions', { draft_ids: [draft_id] }, { key: one });
    expect(results).toMatchObject([{ status: 'failed', error: expect.stringContaining('only its own drafts') }]);
    expect(await readStatus(draft_id)).toBe('pending');
  }
});

test('a person, and their own script, can decline drafts of any of their agents', async () => {
  const [first, second] = [await createDraft(one), await createDraft(other)];
  expect(await (await signIn(server)).ok('discard_action', { draft_id: first })).toMatchObject({ status: 'discarded' });
  expect(await server.ok('discard_action', { draft_id: second })).toMatchObject({ status: 'discarded' });
});

test('an agent cannot make a draft wait longer than an hour', async () => {
  const input = { to: ['noah@example.com'], subject: 'Later', body: 'No hurry.' };
  const request = { source: 'gmail', action_name: 'send_email', input };
  const longer = await server.call('act_on_integration', { ...request, expires_in_minutes: 1_440 }, { key: one });
  expect(longer.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('only a person') });
  const shorter = await server.call('act_on_integration', { ...request, expires_in_minutes: 10 }, { key: one });
  expect(shorter.body['code']).not.toBe('forbidden');
});
