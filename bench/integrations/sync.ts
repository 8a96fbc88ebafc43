// How long a mailbox takes to be read in, in how much memory, and what it costs to find that nothing is new.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGoogleEmulator } from '../../tests/emulators/google/index.ts';
import { linkGoogle } from '../../tests/support/google.ts';
import { serverAt } from '../../tests/support/server.ts';
import { startBenchServer, type BenchServer } from '../server-process.ts';
import type { Bench, Table } from '../table.ts';

const messages = 10_000;
const perThread = 2;
const bars = { firstSeconds: 300, nothingNewSeconds: 2, megabytes: 400 };
const account = 'ada@example.com';

/** The bars: 10,000 messages in five minutes under 400 MB; a second reading with nothing new in two seconds. */
export async function benchSync(bench: Bench): Promise<Table> {
  const google = await startGoogleEmulator();
  google.addAccount({ email: account, name: 'Ada' });
  for (let number = 0; number < messages / perThread; number += 1) google.seedThread(account, threadOf(number));
  const server = await startBenchServer(await bench.createDatabase(), {
    settings: {
      THALAMUS_RATE_LIMIT: '10000000',
      THALAMUS_GOOGLE_BASE_URL: google.url,
      THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
      THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
    },
  });
  try {
    await linkGoogle(serverAt(server.url, server.key), google, { email: account, sources: ['gmail'] });
    bench.note(`sync: ${messages} messages`);
    const begun = await server.call('sync_integration', { source: 'gmail', days: null, every_minutes: 10_000 });
    const syncId = String(begun['sync_id']);
    const first = await readTime(server, syncId, null);
    bench.note('sync: nothing new');
    await sleep(1_000);
    await server.call('run_sync', { sync_id: syncId });
    const again = await readTime(server, syncId, first.startedAt);
    const peak = peakMegabytes(server.pid);
    const { total } = await server.call('list_pages', { limit: 1 });
    if (total !== messages / perThread) throw new Error(`${String(total)} threads were stored`);
    return {
      title: `A mailbox of ${messages} messages in ${messages / perThread} threads`,
      rows: [
        { name: 'messages a second', value: (messages / first.seconds).toFixed(0) },
        row(`bar: read in ≤ ${bars.firstSeconds} s`, first.seconds, bars.firstSeconds, ' s'),
        row(`bar: again with nothing new ≤ ${bars.nothingNewSeconds} s`, again.seconds, bars.nothingNewSeconds, ' s'),
        row(`bar: the server's memory at most ${bars.megabytes} MB`, peak, bars.megabytes, ' MB'),
      ],
    };
  } finally {
    await server.stop();
    await google.close();
  }
}

function threadOf(number: number) {
  const subject = `Subject number ${number}`;
  return Array.from({ length: perThread }, (_, at) => ({
    from: `sender${number % 97}@example.com`,
    subject: at === 0 ? subject : `Re: ${subject}`,
    text: `Message ${at} of thread ${number}.\n${'The harbour master asks for the tide table of that week. '.repeat(30)}`,
  }));
}

/** How long a reading takes that starts after another one did, as its row tells. */
async function readTime(server: BenchServer, syncId: string, after: string | null) {
  for (;;) {
    const { syncs } = await server.call('list_syncs', {});
    const sync = (syncs as Record<string, string | null>[]).find(({ sync_id }) => sync_id === syncId);
    if (sync?.['failure']) throw new Error(sync['failure']);
    const { started_at: startedAt, finished_at: end } = sync ?? {};
    if (startedAt && end && startedAt !== after && end >= startedAt)
      return { startedAt, seconds: (Date.parse(end) - Date.parse(startedAt)) / 1000 };
    await sleep(50);
  }
}

/** The most memory a process ever held (Linux). */
function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function row(name: string, measured: number, bar: number, unit: string) {
  return { name, value: `${measured.toFixed(1)}${unit}: ${measured <= bar ? 'met' : 'missed'}` };
}
