// Webhooks in and out: how much of what a route and a loop by hand do, and whether bad receivers delay others.
import { startBenchServer } from '../server-process.ts';
import type { Bench, Table } from '../table.ts';
import { startBare } from './bare-process.ts';
import { compareDelays } from './beside-bad.ts';
import { compareDelivering } from './delivering.ts';
import { compareIntake } from './intake.ts';
import { startBadReceivers, startReceiver } from './receivers.ts';

const secret = 'a-long-random-text-of-the-bench';

export async function measureWebhooks(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  const receiver = await startReceiver();
  const bad = await startBadReceivers();
  const settings = {
    THALAMUS_RATE_LIMIT: '10000000',
    THALAMUS_EGRESS_ALLOW: [receiver.url, ...bad.urls].join(','),
  };
  const server = await startBenchServer(databaseUrl, { settings });
  const bare = await startBare(databaseUrl, secret);
  try {
    const parts = { server, bare, secret, receiver, databaseUrl, badUrls: bad.urls };
    const rows = [
      ...(await compareIntake(bench, parts)),
      ...(await compareDelivering(bench, parts)),
      ...(await compareDelays(bench, parts)),
    ];
    return { title: 'Webhooks, signed and of 2 KB', rows };
  } finally {
    await server.stop();
    await bare.stop();
    await receiver.close();
    await bad.close();
  }
}
