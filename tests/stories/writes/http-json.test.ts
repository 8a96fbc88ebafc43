import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startHttpJsonEmulator } from '#emulators/http-json/index';
import { act, createActionDraft, allowKeysToDestroy, waitForOutcome } from '../../support/acting.ts';
import { signIn } from '../../support/google.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { quickTimes } from '../../support/quick-times.ts';
import { share } from '../../support/share.ts';

let server: TestServer;
const api = share(() => startHttpJsonEmulator());
beforeAll(async () => {
  const token = api.key();
  server = await startTestServer({
    THALAMUS_EGRESS_ALLOW: api.url,
    ...quickTimes,
  });
  const browser = await signIn(server);
  const header = { name: 'x-api-key', value: '{token}' };
  await browser.ok('connect_with_token', { provider: 'http_json', url: `${api.url}/items/all`, token, header });
});
afterAll(() => server.close());
afterEach(() => api.failures.clear());

const buildRequest = (action_name: string, input: Record<string, unknown>) => ({
  source: 'http_json',
  action_name,
  input,
});
const check = (reference: string) => ({ path: '/items/all', where: { reference } });
const buildOrderRequest = (reference: string, checked = true) =>
  buildRequest('send_request', {
    summary: `Order ${reference}`,
    method: 'POST',
    path: '/items',
    body: { reference, count: 10 },
    ...(checked && { check: check(reference) }),
  });
const listOrderedItems = (reference: string) => api.items().filter((item) => item['reference'] === reference);
const posting = { method: 'POST', path: '/items' };

test('a request is drafted, shown whole, edited, confirmed, and sent once', async () => {
  const action = await act(server, buildOrderRequest('one'), { body: { reference: 'one', count: 12 } });
  expect(action).toMatchObject({
    status: 'confirmed',
    ledger_is_whole: true,
    result: { status: 201, answer: { count: 12 } },
    preview: {
      title: 'POST /items: Order one',
      fields: expect.arrayContaining([{ label: 'Request', text: 'POST /items' }]),
    },
  });
  expect(listOrderedItems('one')).toMatchObject([{ count: 12 }]);
});

test('an existing item is changed; deleting one needs a person', async () => {
  const { id } = api.put({ id: 'seven', reference: 'seven', count: 1 });
  const change = { summary: 'Twelve', method: 'PATCH', path: `/items/by-id/${id}`, body: { count: 12 } };
  expect(await act(server, buildRequest('send_request', change))).toMatchObject({ status: 'confirmed' });
  expect(listOrderedItems('seven')).toMatchObject([{ count: 12 }]);
  const remove = buildRequest('send_delete', { summary: 'Take seven back', path: `/items/by-id/${id}` });
  const refused = await server.call('confirm_action', { draft_id: await createActionDraft(server, remove) });
  expect(refused).toMatchObject({ status: 409, body: { code: 'approval_required' } });
  await allowKeysToDestroy(server);
  expect(await act(server, remove)).toMatchObject({ status: 'confirmed', result: { status: 204 } });
  expect(listOrderedItems('seven')).toEqual([]);
});

test('a request with a check gets its outcome, and is never sent again', async () => {
  const cut = await createActionDraft(server, buildOrderRequest('cut'));
  api.failures.next(posting, { kind: 'cut', when: 'after' });
  await server.ok('confirm_action', { draft_id: cut });
  expect(await waitForOutcome(server, cut)).toMatchObject({
    status: 'confirmed',
    result: { found: { reference: 'cut' } },
  });
  expect(listOrderedItems('cut')).toHaveLength(1);
});

test('a person is asked without a check, when the item existed before, or when it does not exist now', async () => {
  api.put({ id: 'twin', reference: 'twin' });
  for (const requested of [buildOrderRequest('blind', false), buildOrderRequest('twin')]) {
    const id = await createActionDraft(server, requested);
    api.failures.next(posting, { kind: 'cut', when: 'after' });
    expect(await server.ok('confirm_action', { draft_id: id })).toMatchObject({ status: 'ambiguous' });
  }
  expect([listOrderedItems('blind').length, listOrderedItems('twin').length]).toEqual([1, 2]);
  // The list may have more than what it answers.
  const lost = await createActionDraft(server, buildOrderRequest('lost'));
  api.failures.next(posting, { kind: 'cut', when: 'before' });
  expect(await server.ok('confirm_action', { draft_id: lost })).toMatchObject({ status: 'ambiguous' });
  expect(listOrderedItems('lost')).toEqual([]);
});

test('a refusal is reported, and a path to elsewhere is rejected', async () => {
  const missing = { summary: 'Nothing', method: 'PUT', path: '/items/by-id/none', body: {} };
  expect(await act(server, buildRequest('send_request', missing))).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('404'),
  });
  for (const path of [
    '//elsewhere.example/x',
    'https://elsewhere.example/',
    '/\\elsewhere.example',
    '/a?b=c',
    'items',
    '/public/../items',
    '/public/%2e%2e/items',
    '/./items',
    '/ä',
  ]) {
    const answer = await server.call('act_on_integration', buildRequest('send_request', { ...missing, path }));
    expect(answer.status, path).toBe(422);
  }
});
