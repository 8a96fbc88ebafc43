import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const secret = 'a-long-random-text-for-tests';
const computeHmac = (signed: string) => createHmac('sha256', secret).update(signed).digest('hex');

async function createConnector(settings: object) {
  const given = { name: 'Sender', brain_id: brainId, webhook_secret: secret, ...settings };
  const { connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  return async (body: string, headers: Record<string, string>) => {
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await server.request(`/v1/webhook/${String(webhook_slug)}`, { method: 'POST', body, headers: all });
    return { status: answer.status, ...((await answer.json()) as object), connector_id };
  };
}

test('a signed request that is repeated with another unsigned id, or none, counts as one event for an hour', async () => {
  const post = await createConnector({ signature_scheme: 'hmac_sha256' });
  const body = '{"text":"Captured"}';
  const send = (headers: Record<string, string> = {}) => post(body, { 'x-signature': computeHmac(body), ...headers });
  const first = (await send({ 'webhook-id': 'd-1' })) as { event_id?: unknown; connector_id: string };
  expect(first).not.toHaveProperty('duplicate');
  const others: Record<string, string>[] = [{ 'webhook-id': 'd-2' }, { 'idempotency-key': 'd-3' }, {}];
  for (const headers of others)
    expect(await send(headers)).toMatchObject({ status: 202, duplicate: true, event_id: first.event_id });
  await database.rows(
    `update webhook_signatures set received_at = received_at - interval '61 minutes' where connector_id = $1`,
    [first.connector_id],
  );
  expect(await send()).not.toHaveProperty('duplicate');
});

test('a signed time distinguishes two requests with the same body, and the rest of the header does not', async () => {
  const post = await createConnector({ name: 'Paid', signature_scheme: 'provider', provider: 'stripe' });
  const at = Math.floor(Date.now() / 1_000);
  const signed = (time: number, more = '') => ({
    'stripe-signature': `t=${time},v1=${computeHmac(`${time}.{}`)}${more}`,
  });
  expect(await post('{}', signed(at))).not.toHaveProperty('duplicate');
  expect(await post('{}', signed(at, ',v0=abc'))).toMatchObject({ status: 202, duplicate: true });
  expect(await post('{}', signed(at - 1))).not.toHaveProperty('duplicate');
});
