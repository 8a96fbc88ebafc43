// A minimal hand-written route for rows in its own process: parse, insert on conflict do nothing, answer.
import { once } from 'node:events';
import { Hono } from 'hono';
import { Pool } from 'pg';
import { listen } from '#faces/web';
import { newId } from '#platform/clock';

const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, options: '-c role=thalamus_app', max: 10 });
const app = new Hono();
app.post('/rows', async (c) => {
  const { rows } = await c.req.json<{ rows: [{ name: string }] }>();
  const text = 'insert into bare_rows (id, name, fields) values ($1, $2, $3) on conflict do nothing';
  const { rowCount } = await pool.query({ name: 'insert', text, values: [newId(), rows[0].name, rows[0]] });
  return c.json({ appended: rowCount, skipped: 1 - (rowCount ?? 0) });
});
const { url } = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
process.send?.(url);
await once(process, 'disconnect');
process.exit();
