// The same by hand, in a process of its own: a route that verifies and inserts, and a loop that signs, posts and writes a row.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { Hono } from 'hono';
import { Pool as Database } from 'pg';
import { Pool } from 'undici';
import { listen } from '#faces/web';
import { newId } from '#platform/clock';
import type { Loop } from './bare-process.ts';

const [connectionString = '', secret = ''] = process.argv.slice(2);
const database = new Database({ connectionString, options: '-c role=thalamus_app', max: 10 });

const app = new Hono();
app.post('/hook', async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer());
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(c.req.header('x-signature') ?? '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return c.body(null, 401);
  const id = newId();
  const text = 'insert into bare_events (id, delivery_id, headers, body, received_at) values ($1, $2, $3, $4, now())';
  const values = [id, c.req.header('webhook-id'), JSON.stringify(c.req.header()), body];
  await database.query({ name: 'event', text, values });
  return c.json({ event_id: id }, 202);
});
const { url } = await listen(app.fetch, { host: '127.0.0.1', port: 0 });

/** Sends `count` messages, `lanes` at a time, and answers the milliseconds. */
async function deliver({ to, count, lanes, payload }: Loop): Promise<number> {
  const client = new Pool(to, { connections: lanes, pipelining: 1 });
  const key = Buffer.from(secret);
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const id = newId();
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')}`;
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      const { statusCode, body } = await client.request({ method: 'POST', path: '/bare', headers, body: payload });
      await body.dump();
      const text = 'insert into bare_attempts (id, status, at) values ($1, $2, now())';
      await database.query({ name: 'attempt', text, values: [id, statusCode] });
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  await client.close();
  return performance.now() - begun;
}

process.on('message', (loop: Loop) => void deliver(loop).then((milliseconds) => process.send?.(milliseconds)));
process.send?.(url);
await once(process, 'disconnect');
process.exit();
