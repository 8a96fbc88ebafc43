// Appends with a key from 8 writers, beside a route that only inserts `on conflict do nothing`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { runSql } from '../postgres.ts';
import { startBenchServer } from '../server-process.ts';
import { chooseSize } from '../size.ts';
import { formatMilliseconds, median, percentile, type Bench, type Table } from '../table.ts';

const writers = 8;
const appends = chooseSize(1_000, 16);
const rounds = chooseSize(7, 1);
const bar = 2;

type Append = (row: { name: string; at: number }) => Promise<void>;

/** The bar: 1,000 appends take at most twice as long as by the bare route in the same run. Each key is sent twice, and stored once. */
export async function measureAppends(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  const server = await startBenchServer(databaseUrl);
  const bare = await startBare(databaseUrl);
  const clients = [server, bare].map(({ url }) => new Pool(url, { connections: writers, pipelining: 1 }));
  const [product, plain] = clients as [Pool, Pool];
  const times = { product: [] as number[], plain: [] as number[], each: [] as number[] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      bench.note(`round ${round} of ${rounds}`);
      const { board_id } = await server.call('create_board', { name: `Board ${round}` });
      const append = createAppend(product, `/v1/boards/${String(board_id)}/rows`, server.key);
      const each: number[] = [];
      const one = await measureAll(append, `p${round}`, each);
      const other = await measureAll(createAppend(plain, '/rows', ''), `b${round}`, []);
      const [stored] = await runSql<{ rows: string }>(
        databaseUrl,
        'select count(*) as rows from board_rows where board_id = $1',
        [board_id],
      );
      if (Number(stored?.rows) !== appends / 2) throw new Error(`${stored?.rows} rows are stored of ${appends / 2}`);
      if (round === 0) continue; // it warms both up
      times.product.push(one);
      times.plain.push(other);
      times.each.push(...each);
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
    await bare.stop();
  }
  const ratio = median(times.product.map((time, at) => time / (times.plain[at] ?? 1)));
  return {
    title: `${appends} appends with a key, ${writers} writers at once`,
    rows: [
      { name: 'bare Hono + INSERT … ON CONFLICT', value: formatMilliseconds(median(times.plain)) },
      { name: 'append_board_rows', value: formatMilliseconds(median(times.product)) },
      {
        name: 'one append, median and 99th of 100',
        value: `${formatMilliseconds(median(times.each))}, ${formatMilliseconds(percentile(times.each, 0.99))}`,
      },
      {
        name: `bar: at most ${bar} of the bare route`,
        value: `${ratio.toFixed(2)}, ${ratio <= bar ? 'met' : 'missed'}`,
      },
    ],
  };
}

async function measureAll(append: Append, prefix: string, each: number[]): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const write = async () => {
    while (next < appends) {
      const at = (next += 1);
      const started = performance.now();
      await append({ name: `${prefix}-${Math.ceil(at / 2)}`, at });
      each.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return performance.now() - begun;
}

function createAppend(client: Pool, path: string, key: string): Append {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (row) => {
    const body = JSON.stringify({ rows: [row], dedupe_key_field: 'name' });
    const answer = await client.request({ method: 'POST', path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`an append was refused: ${text}`);
  };
}

/** The route by hand, in a process of its own like the server. */
async function startBare(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  await runSql(
    databaseUrl,
    'create table bare_rows (id uuid primary key, name text not null unique, fields jsonb not null)',
  );
  await runSql(databaseUrl, 'grant insert, select on bare_rows to thalamus_app');
  const script = join(import.meta.dirname, 'bare-rows.ts');
  const child = spawn(process.execPath, [script, databaseUrl], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
