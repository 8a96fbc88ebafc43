// A minimal hand-written ingest server in its own process: parse, insert one row, answer.
import { once } from 'node:events';
import { Hono } from 'hono';
import { Pool } from 'pg';
import { listen } from '#faces/web';
import { newId } from '#platform/clock';

const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, options: '-c role=thalamus_app', max: 10 });
const app = new Hono();
app.post('/v1/ingest', async (c) => {
  const { content, source_id } = await c.req.json<{ content: string; source_id: string }>();
  const id = newId();
  const text = 'insert into bare_items (id, content, source_id) values ($1, $2, $3) on conflict do nothing';
  await pool.query({ name: 'insert', text, values: [id, content, source_id] });
  return c.json({ id });
});
const { url } = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
process.send?.(url);
await once(process, 'disconnect');
process.exit();
