// Hostile requests from a seeded generator: nothing breaks, memory stays bounded, and other connectors go on.
import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectByDepth } from '../../../tests/support/depth.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_WEBHOOK_MB: '0.5' });
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(() => server.close());

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const bomb = gzipSync(Buffer.alloc(30_000_000));
const deep = '['.repeat(50_000);
const bodies: readonly ((random: () => number) => Buffer)[] = [
  (random) => Buffer.from(Array.from({ length: Math.floor(random() * 3_000) }, () => Math.floor(random() * 256))),
  () => Buffer.from(deep),
  () => Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  () => Buffer.from('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"text":"x"}'),
  () => Buffer.from('{"text":"\\u0000\\ud800","\\u0000":"\\udfff"}'),
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  () => bomb,
  () => bomb.subarray(0, 1_000),
  () => gzipSync(bomb),
  () => deflateSync(Buffer.alloc(5_000_000)),
  () => Buffer.from('a=1&a=2&__proto__=x&%ZZ=%00&'.repeat(500)),
  () => Buffer.from(`{"text":${'9'.repeat(20_000)}}`),
  () => Buffer.from(`{"text":"${"'; drop table webhook_events; --".repeat(20)}"}`),
  () => Buffer.alloc(600_000, 'x'),
  () => Buffer.alloc(0),
];
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'x'.repeat(3_000),
  'application/json; charset=utf-7',
  '',
];
const encodings = ['', 'gzip', 'deflate', 'br', 'gzip, gzip', 'identity', 'nonsense'];
const headers: readonly Record<string, string>[] = [
  {},
  { 'x-signature': 'sha256=' },
  { 'x-signature': 'z'.repeat(6_000) },
  { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
  { 'webhook-id': '\u00ff'.repeat(300), 'webhook-timestamp': '9'.repeat(40), 'webhook-signature': 'v1,' },
  { 'webhook-id': 'm', 'webhook-timestamp': '-1e400', 'webhook-signature': `${'v1,AAAA '.repeat(700)}` },
  { 'idempotency-key': 'k'.repeat(5_000) },
  { 'x-forwarded-for': '::1, 127.0.0.1', 'x-http-method-override': 'DELETE', expect: '' },
  Object.fromEntries(Array.from({ length: 90 }, (_none, i) => [`x-many-${i}`, 'v'.repeat(80)])),
];
/** Raw text for a socket that is closed early. */
const raws: readonly string[] = [
  'content-length: 400000\r\n\r\n{"half',
  'transfer-encoding: chunked\r\n\r\nffffffff\r\nx',
  'transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n',
  'content-length: -1\r\n\r\n',
  'content-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
  `x-long: ${'y'.repeat(40_000)}\r\n\r\n`,
  'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n',
];

async function createActiveConnector(settings: object) {
  const translator_code =
    'function translate({ body }) { return { documents: [{ content: body.text, source_id: body.id }] }; }';
  const given = { name: 'Sender', brain_id: brainId, translator_code, ...settings };
  const { connector_id: webhook_connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { webhook_connector_id, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id });
  return { id: webhook_connector_id, path: `/v1/webhook/${webhook_slug}` };
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item; // the number is below the length
}

/** Writes a head and some of a body, and closes the connection after an answer or a moment. */
function writeRaw(path: string, rest: string): Promise<void> {
  const { port, host } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${rest}`),
    );
    const end = () => socket.destroy();
    setTimeout(end, 30);
    socket
      .on('data', end)
      .on('error', end)
      .on('close', () => resolve());
  });
}

test('hostile requests break nothing, keep memory bounded and leave other connectors alone', async () => {
  const [count = 0] = selectByDepth([5_000], [100]);
  const random = createSeededRandom(22);
  const webhook_secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const targets = [
    await createActiveConnector({ signature_scheme: 'none' }),
    await createActiveConnector({ signature_scheme: 'hmac_sha256', webhook_secret: 'a-long-random-text' }),
    await createActiveConnector({ signature_scheme: 'standard_webhooks', webhook_secret }),
  ];
  const other = await createActiveConnector({ signature_scheme: 'none' });
  const before = process.memoryUsage().rss;
  let most = before;
  const statuses = new Map<number, number>();
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const { path } = pick(targets, random);
      if (random() < 0.15) await writeRaw(path, pick(raws, random));
      else {
        const own = {
          ...pick(headers, random),
          'content-type': pick(types, random),
          'content-encoding': pick(encodings, random),
        };
        const query = random() < 0.2 ? `?${'q=%00%ff&'.repeat(Math.floor(random() * 50))}` : '';
        const init = { method: 'POST', body: pick(bodies, random)(random), headers: own };
        // The server may answer and close before a large body was sent.
        const answer = await server.request(path + query, init).catch(() => null);
        await answer?.arrayBuffer().catch(() => null);
        if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      most = Math.max(most, process.memoryUsage().rss);
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const allowed = new Set([202, 401, 408, 413, 422, 429, 503]);
  expect([...statuses.keys()].filter((status) => !allowed.has(status))).toEqual([]);
  expect(statuses.get(202)).toBeGreaterThan(0);
  expect((most - before) / 1_000_000, 'MB more').toBeLessThan(600);
  expect({}).not.toHaveProperty('polluted');
  const body = JSON.stringify({ text: 'The lamp is still lit', id: 'after' });
  const sent = await server.request(other.path, { method: 'POST', body });
  const { event_id } = (await sent.json()) as { event_id: string };
  const outcome = async () => (await server.ok('get_webhook_event', { webhook_event_id: event_id })).outcome;
  await expect.poll(outcome, { timeout: 20_000, interval: 25 }).toBe('success');
  for (const { id } of targets)
    expect((await server.call('list_webhook_events', { webhook_connector_id: id, limit: 100 })).status).toBe(200);
}, 300_000);

test('a body that breaks off leaves a row without the body', async () => {
  const { id: webhook_connector_id, path } = await createActiveConnector({ signature_scheme: 'none' });
  await writeRaw(path, 'content-length: 1000\r\n\r\n{"half');
  const rows = async () => (await server.ok('list_webhook_events', { webhook_connector_id })).events;
  await expect
    .poll(rows, { timeout: 5_000, interval: 25 })
    .toMatchObject([{ outcome: 'refused', detail: 'The body took too long to arrive.', body_bytes: 0 }]);
});
