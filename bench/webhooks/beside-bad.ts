// The delay of deliveries to good receivers, with bad receivers beside them and without.
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../postgres.ts';
import type { BenchServer } from '../server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import type { Receiver } from './receivers.ts';
import { addDestination, addSource, runAtIntervals } from './set-up.ts';
import { chooseSize } from '../size.ts';

const rounds = chooseSize(3, 1);
const goodDestinations = 4;
const eventsPerRound = chooseSize(80, 4);
const everyMs = 100;
const mostTimes = 1.2;

type FailingBenchParts = { server: BenchServer; receiver: Receiver; badUrls: readonly string[]; databaseUrl: string };

/** Rounds without and with the bad receivers, in turn. A delay lasts from the delivery's row to its arrival. */
export async function compareDelays(bench: Bench, parts: FailingBenchParts): Promise<Table['rows']> {
  const { server, receiver, badUrls, databaseUrl } = parts;
  const source = await addSource(server, 'Beside');
  const good: string[] = [];
  for (let at = 0; at < goodDestinations; at += 1)
    good.push(await addDestination(server, `${receiver.url}/good/${at}`, source.id));
  const bad: string[] = [];
  for (const url of badUrls) bad.push(await addDestination(server, url, source.id));
  const setBad = async (status: 'active' | 'paused') => {
    for (const output_destination_id of bad)
      await server.call('update_output_destination', { output_destination_id, status });
  };
  const delays = { without: [] as number[], beside: [] as number[] };
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    bench.note(`beside bad receivers, round ${round} of ${rounds}`);
    const each = { without: [] as number[], beside: [] as number[] };
    for (const which of ['without', 'beside'] as const) {
      await clearQueues(databaseUrl, bad); // what waited while they were paused would come at once
      await setBad(which === 'beside' ? 'active' : 'paused');
      await runAtIntervals(eventsPerRound, everyMs, (at) =>
        source.send({ text: `Event ${at}`, id: `${round} ${which} ${at}` }),
      );
      each[which] = await measureDeliveryDelays(databaseUrl, good, receiver, eventsPerRound * goodDestinations);
    }
    if (round === 0) continue; // it warms up
    delays.without.push(...each.without);
    delays.beside.push(...each.beside);
    ratios.push(median(each.beside) / median(each.without));
  }
  const ratio = median(ratios);
  const shown = (times: number[]) =>
    `${formatMilliseconds(median(times))}, ${formatMilliseconds(percentile(times, 0.99))}`;
  return [
    { name: 'delay without bad receivers, median and 99th of 100', value: shown(delays.without) },
    { name: 'beside one that hangs, a dead and a slow one', value: shown(delays.beside) },
    {
      name: 'bar: median at most 1.20 times that without',
      value: `${ratio.toFixed(2)}, ${ratio <= mostTimes ? 'met' : 'missed'}`,
    },
  ];
}

async function clearQueues(databaseUrl: string, destinationIds: readonly string[]): Promise<void> {
  await runSql(
    databaseUrl,
    `update output_deliveries set status = 'failed'
      where destination_id = any($1) and status = 'waiting' and lease_until is null`,
    [destinationIds],
  );
}

/** Waits for all deliveries of a round, and answers their delays. Later rounds see none of them. */
async function measureDeliveryDelays(
  databaseUrl: string,
  good: readonly string[],
  { arrivals }: Receiver,
  count: number,
): Promise<number[]> {
  for (;;) {
    const rows = await runSql<{ id: string; created: number }>(
      databaseUrl,
      `select id, (extract(epoch from created_at) * 1000)::float8 as created from output_deliveries
        where destination_id = any($1) and status = 'delivered'`,
      [good],
    );
    if (rows.length >= count) {
      await runSql(databaseUrl, 'delete from output_deliveries where destination_id = any($1)', [good]);
      return rows.map(({ id, created }) => (arrivals.get(`msg_${id}`) ?? Number.NaN) - created);
    }
    await sleep(100);
  }
}
