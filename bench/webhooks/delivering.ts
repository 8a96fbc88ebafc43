// Deliveries to one destination, beside a loop by hand.
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../postgres.ts';
import type { BenchServer } from '../server-process.ts';
import { median, type Bench, type Table } from '../table.ts';
import type { Bare } from './bare-process.ts';
import type { Receiver } from './receivers.ts';
import { addDestination, addSource } from './set-up.ts';
import { chooseSize } from '../size.ts';

const rounds = chooseSize(3, 1);
const perRound = chooseSize(1_000, 8);
const leastShare = 0.5;
/** As many as a process of the server sends to one destination at once. */
const lanesOfServer = 4;

type DeliveryBenchParts = { server: BenchServer; bare: Bare; receiver: Receiver; databaseUrl: string };

/** The rates in turn: waiting deliveries that become due at once, then the loop, then the loop in as many lanes. */
export async function compareDelivering(bench: Bench, parts: DeliveryBenchParts): Promise<Table['rows']> {
  const { server, bare, receiver, databaseUrl } = parts;
  const source = await addSource(server, 'Delivering');
  const destinationId = await addDestination(server, `${receiver.url}/delivering`, source.id);
  await source.send({ text: 'x'.repeat(1_800), id: 'first' });
  await waitUntil(async () => receiver.arrivals.size > 0);
  const [first] = await runSql<{ payload: Buffer }>(databaseUrl, 'select payload from output_deliveries limit 1');
  const loop = { to: receiver.url, count: perRound, payload: first?.payload.toString() ?? '' };
  const rates = { server: [] as number[], loop: [] as number[], lanes: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    bench.note(`delivering, round ${round} of ${rounds}`);
    const ofServer = await measureServerRate(parts, destinationId);
    const ofLoop = await bare.deliver({ ...loop, lanes: 1 });
    const ofLanes = await bare.deliver({ ...loop, lanes: lanesOfServer });
    if (round === 0) continue;
    rates.server.push(ofServer);
    rates.loop.push((1_000 * perRound) / ofLoop);
    rates.lanes.push((1_000 * perRound) / ofLanes);
  }
  const computeShare = (others: number[]) => median(rates.server.map((rate, at) => rate / (others[at] ?? 1)));
  const share = computeShare(rates.loop);
  return [
    { name: 'bare loop: sign, POST, INSERT', value: `${median(rates.loop).toFixed(0)} a second` },
    { name: `the loop in ${lanesOfServer} lanes`, value: `${median(rates.lanes).toFixed(0)} a second` },
    { name: 'deliveries to one destination', value: `${median(rates.server).toFixed(0)} a second` },
    { name: `share of the loop in ${lanesOfServer} lanes`, value: computeShare(rates.lanes).toFixed(2) },
    {
      name: 'bar: at least 0.50 of the bare loop',
      value: `${share.toFixed(2)}, ${share >= leastShare ? 'met' : 'missed'}`,
    },
  ];
}

/** Copies of the delivery that was sent, all due at once, until the last one has its row. */
async function measureServerRate({ databaseUrl }: DeliveryBenchParts, destinationId: string): Promise<number> {
  const columns =
    'workspace_id, route_id, destination_id, content_type, payload, payload_bytes, document_count, created_at';
  await runSql(
    databaseUrl,
    `insert into output_deliveries (id, event_id, status, next_attempt_at, ${columns})
     select gen_random_uuid(), gen_random_uuid(), 'waiting', now() - number * interval '1 millisecond', ${columns}
       from (select * from output_deliveries where destination_id = $1 limit 1) one, generate_series(1, ${perRound}) number`,
    [destinationId],
  );
  const left = async () => {
    const [row] = await runSql<{ left: string }>(
      databaseUrl,
      `select count(*) as left from output_deliveries where destination_id = $1 and status = 'waiting'`,
      [destinationId],
    );
    return Number(row?.left);
  };
  await waitUntil(async () => (await left()) < perRound);
  const [begun, before] = [performance.now(), await left()];
  await waitUntil(async () => (await left()) === 0);
  return (1_000 * before) / (performance.now() - begun);
}

/** Waits for a condition. */
async function waitUntil(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await sleep(25);
}
