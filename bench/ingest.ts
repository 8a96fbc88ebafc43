// Sending items: how many a second beside a route that only inserts, and whether any is lost or doubled when the server is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { runSql } from './postgres.ts';
import { startBenchServer, type BenchServer } from './server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const senders = chooseSize(64, 4);
const rounds = chooseSize(5, 1);
const itemsPerRound = chooseSize(1_500, 20);
const itemsEach = chooseSize(60, 10);
const kills = chooseSize(3, 1);

type Send = (item: { content: string; source_id: string }) => Promise<boolean>;

/** The bars: at least half the rate of the bare route in the same run; none lost and none doubled in three kills. */
export async function measureIngest(bench: Bench): Promise<Table> {
  const rows = [...(await compareThroughput(bench)), ...(await killServer(bench))];
  return { title: `Ingest, ${senders} senders at once`, rows };
}

async function compareThroughput(bench: Bench): Promise<Table['rows']> {
  const databaseUrl = await bench.createDatabase();
  const server = await startBenchServer(databaseUrl);
  const bare = await startBare(databaseUrl);
  const { webhook_token } = await server.call('create_connector', { name: 'Bench', source: 'make' });
  const clients = [server.url, bare.url].map((url) => new Pool(url, { connections: senders, pipelining: 1 }));
  const [product, plain] = clients.map((client) => createSend(client, String(webhook_token))) as [Send, Send];
  try {
    const rates = { product: [] as number[], plain: [] as number[] };
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      bench.note(`round ${round} of ${rounds}`);
      const one = await measureRate(product, `product ${round}`, times);
      const other = await measureRate(plain, `plain ${round}`, []);
      if (round === 0) {
        times.length = 0; // the first warms both up
        continue;
      }
      rates.product.push(one);
      rates.plain.push(other);
    }
    const ratio = median(rates.product.map((rate, at) => rate / (rates.plain[at] ?? 1)));
    return [
      { name: 'bare Hono + INSERT', value: `${median(rates.plain).toFixed(0)} items/s` },
      { name: 'ingest', value: `${median(rates.product).toFixed(0)} items/s` },
      {
        name: 'one item, median and 99th of 100',
        value: `${formatMilliseconds(median(times))}, ${formatMilliseconds(percentile(times, 0.99))}`,
      },
      {
        name: 'bar: at least 0.50 of the bare route',
        value: `${ratio.toFixed(2)}, ${ratio >= 0.5 ? 'met' : 'missed'}`,
      },
    ];
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
    await bare.stop();
  }
}

async function measureRate(send: Send, name: string, times: number[]): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const lane = async () => {
    while (next < itemsPerRound) {
      const at = (next += 1);
      const started = performance.now();
      if (!(await send({ content: `The parcel ${at} of ${name} is on its way`, source_id: `${name}-${at}` })))
        throw new Error('an item was refused');
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: senders }, lane));
  return (1000 * itemsPerRound) / (performance.now() - begun);
}

function createSend(client: Pool, token: string): Send {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (item) => {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: '/v1/ingest',
      headers,
      body: JSON.stringify(item),
    });
    await body.dump();
    return statusCode === 200;
  };
}

/** The route by hand, in a process of its own like the server. */
async function startBare(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  await runSql(
    databaseUrl,
    'create table bare_items (id uuid primary key, content text not null, source_id text unique)',
  );
  await runSql(databaseUrl, 'grant insert, select on bare_items to thalamus_app');
  const script = join(import.meta.dirname, 'bare-ingest.ts');
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

async function killServer(bench: Bench): Promise<Table['rows']> {
  bench.note(`${senders} senders that retry, ${kills} kills`);
  const databaseUrl = await bench.createDatabase();
  let server: BenchServer = await startBenchServer(databaseUrl);
  const { webhook_token } = await server.call('create_connector', { name: 'Bench', source: 'make' });
  let client = new Pool(server.url, { connections: senders, pipelining: 1 });
  const answered: string[] = [];
  let retries = 0;
  const sender = async (number: number) => {
    for (let at = 0; at < itemsEach; at += 1) {
      const item = { content: `Sender ${number} says ${at}`, source_id: `s${number}-${at}` };
      while (!(await createSend(client, String(webhook_token))(item).catch(() => false))) {
        retries += 1;
        await sleep(20);
      }
      answered.push(item.source_id);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, (_none, number) => sender(number)));
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = (kill * senders * itemsEach) / (kills + 1);
    while (answered.length < enough) await sleep(10);
    await server.kill();
    server = await startBenchServer(databaseUrl);
    client = new Pool(server.url, { connections: senders, pipelining: 1 });
  }
  await sending;
  const [row] = await runSql<{ stored: string; items: string }>(
    databaseUrl,
    'select count(*) as stored, count(distinct source_id) as items from memories',
  );
  await client.close();
  await server.stop();
  const sent = senders * itemsEach;
  const [lost, doubled] = [sent - Number(row?.items), Number(row?.stored) - Number(row?.items)];
  const value = `${lost} lost, ${doubled} doubled of ${sent}, ${retries} retries, ${lost + doubled === 0 ? 'met' : 'missed'}`;
  return [{ name: `bar: ${kills} kills lose and double nothing`, value }];
}
