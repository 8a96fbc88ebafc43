// What the egress door costs on top of a plain fetch over a connection that is kept open.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { decodeBodyText, createEgress } from '#platform/egress';
import { chooseSize } from './size.ts';

type Table = { title: string; rows: { name: string; value: string }[] };

const callsPerRound = chooseSize(100, 2);
const rounds = chooseSize(40, 1);
const warmUpRounds = chooseSize(10, 0);

/**
 * Measures `egress.request` against `undici.fetch`, both reading the same 1 kB of JSON from a loopback server, one call
 * after the other, in turns of 100 calls. The bar: at most 15 % or at most 0.05 ms more.
 */
export async function measureEgress(): Promise<Table> {
  const body = JSON.stringify({ text: 'x'.repeat(1_000) });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const url = `http://127.0.0.1:${port}/bench`;
  const egress = createEgress({ allow: [`http://127.0.0.1:${port}`] });
  const headers = { authorization: 'Bearer bench', accept: 'application/json' };

  const subjects = {
    fetch: async () => (await fetch(url, { headers })).text(),
    egress: async () => decodeBodyText(await egress.request({ method: 'GET', url, headers })),
  };
  const times = { fetch: [] as number[], egress: [] as number[] };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of ['fetch', 'egress'] as const) {
      const measured = await measureRound(subjects[name]);
      if (round >= warmUpRounds) times[name].push(...measured);
    }
  }
  await egress.close();
  server.closeAllConnections();
  server.close();
  return buildTable(median(times.fetch), median(times.egress));
}

async function measureRound(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < callsPerRound; i += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function buildTable(fetchMs: number, egressMs: number): Table {
  const percent = (egressMs / fetchMs - 1) * 100;
  const isWithinBar = percent <= 15 || egressMs - fetchMs <= 0.05;
  return {
    title: 'Egress against undici.fetch, loopback, keep-alive, median of one call',
    rows: [
      { name: 'undici.fetch', value: `${fetchMs.toFixed(3)} ms` },
      { name: 'egress.request', value: `${egressMs.toFixed(3)} ms` },
      { name: 'difference', value: `${(egressMs - fetchMs).toFixed(3)} ms (${percent.toFixed(0)} %)` },
      { name: 'bar: ≤ 15 % or ≤ 0.05 ms', value: isWithinBar ? 'met' : 'missed' },
    ],
  };
}
