// Signed requests of 2 KB, answered after they were stored, beside a route by hand.
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import type { BenchServer } from '../server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import type { Bare } from './bare-process.ts';
import { chooseSize } from '../size.ts';

const senders = chooseSize(64, 4);
const rounds = chooseSize(5, 1);
const requestsPerRound = chooseSize(1_500, 8);
const bodyBytes = 2_048;
const leastShare = 0.6;

type Message = { id: string; body: string; signature: string };

/** The rates of both in turn, after a round that warms them up. The connector is a draft, so that nothing is translated meanwhile. */
export async function compareIntake(
  bench: Bench,
  { server, bare, secret }: { server: BenchServer; bare: Bare; secret: string },
): Promise<Table['rows']> {
  const brain = await server.call('create_brain', { name: 'Bench' });
  const signing = { signature_scheme: 'hmac_sha256', webhook_secret: secret };
  const given = { name: 'Intake', brain_id: brain['brain_id'], ...signing };
  const { webhook_slug } = await server.call('create_webhook_connector', given);
  const targets = [
    { url: server.url, path: `/v1/webhook/${String(webhook_slug)}`, rates: [] as number[], times: [] as number[] },
    { url: bare.url, path: '/hook', rates: [] as number[], times: [] as number[] },
  ] as const;
  for (let round = 0; round <= rounds; round += 1) {
    bench.note(`intake, round ${round} of ${rounds}`);
    for (const target of targets) {
      const messages = Array.from({ length: requestsPerRound }, (_none, at) => buildMessage(`${round}-${at}`, secret));
      const { rate, times } = await sendAll(target, messages);
      if (round === 0) continue;
      target.rates.push(rate);
      target.times.push(...times);
    }
  }
  const [product, plain] = targets;
  const share = median(product.rates.map((rate, at) => rate / (plain.rates[at] ?? 1)));
  return [
    { name: 'bare Hono, verify + INSERT', value: `${median(plain.rates).toFixed(0)} requests/s` },
    { name: 'webhook intake', value: `${median(product.rates).toFixed(0)} requests/s` },
    {
      name: 'one request, median and 99th of 100',
      value: `${formatMilliseconds(median(product.times))}, ${formatMilliseconds(percentile(product.times, 0.99))}`,
    },
    {
      name: 'bar: at least 0.60 of the bare route',
      value: `${share.toFixed(2)}, ${share >= leastShare ? 'met' : 'missed'}`,
    },
  ];
}

function buildMessage(id: string, secret: string): Message {
  const start = `{"id":"${id}","type":"lamp.lit","text":"`;
  const body = `${start}${'x'.repeat(bodyBytes - start.length - 2)}"}`;
  return { id, body, signature: createHmac('sha256', secret).update(body).digest('hex') };
}

async function sendAll({ url, path }: { url: string; path: string }, messages: readonly Message[]) {
  const client = new Pool(url, { connections: senders, pipelining: 1 });
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    for (let message = messages[next++]; message; message = messages[next++]) {
      const { id, signature, body: text } = message;
      const headers = { 'content-type': 'application/json', 'webhook-id': id, 'x-signature': signature };
      const started = performance.now();
      const { statusCode, body } = await client.request({ method: 'POST', path, headers, body: text });
      await body.dump();
      if (statusCode !== 202) throw new Error(`a request was answered ${statusCode}`);
      times.push(performance.now() - started);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: senders }, lane));
  const rate = (1_000 * messages.length) / (performance.now() - begun);
  await client.close();
  return { rate, times };
}
