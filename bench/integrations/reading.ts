// A mailbox of the emulator, read in by a server in a process of its own, with the memory it takes meanwhile.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { linkGoogle } from '../../tests/support/google.ts';
import { reachServer } from '../../tests/support/server.ts';
import { startBenchServer, type BenchServer } from '../server-process.ts';
import type { Bench } from '../table.ts';

export const account = 'ada@example.com';

/** The cost of a sync. `megabytes` is the peak memory of the server, `along` its memory after each quarter. */
export type Reading = { seconds: number; megabytes: number; along: number[] };

export type ReadMailbox = {
  server: BenchServer;
  /** Reads everything for the first time. */
  first(): Promise<Reading>;
  /** Syncs new items. */
  again(): Promise<Reading>;
};

/** Fills a mailbox, starts a server, links the account to it, and has `measure` read. */
export async function withMailbox<T>(
  bench: Bench,
  fill: (google: GoogleEmulator) => number,
  measure: (mailbox: ReadMailbox) => Promise<T>,
): Promise<T> {
  const google = await startGoogleEmulator({ forgetsAnswers: true });
  google.addAccount({ email: account, name: 'Ada' });
  const threads = fill(google);
  const server = await startBenchServer(await bench.createDatabase(), {
    settings: {
      THALAMUS_RATE_LIMIT: '10000000',
      THALAMUS_GOOGLE_BASE_URL: google.url,
      THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
      THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
    },
  });
  try {
    await linkGoogle(reachServer(server.url, server.key), google, { email: account, sources: ['gmail'] });
    return await measure(createReadMailbox(server, threads));
  } finally {
    await server.stop();
    await google.close();
  }
}

function createReadMailbox(server: BenchServer, threads: number): ReadMailbox {
  let syncId = '';
  let startedAt: string | null = null;
  const read = async () => {
    const reading = await watchReading(server, { syncId, threads, after: startedAt });
    ({ startedAt } = reading);
    return reading;
  };
  return {
    server,
    async first() {
      const begun = await server.call('sync_integration', { source: 'gmail', days: null, every_minutes: 10_000 });
      syncId = String(begun['sync_id']);
      const reading = await read();
      const { total } = await server.call('list_pages', { limit: 1 });
      if (total !== threads) throw new Error(`${String(total)} threads were stored`);
      return reading;
    },
    async again() {
      await sleep(1_000);
      await server.call('run_sync', { sync_id: syncId });
      return read();
    },
  };
}

type Sync = { sync_id: string; failure: string | null; started_at: string | null; finished_at: string | null } & {
  items_done: number;
};

/** Follows the next sync until its row says that it ended. */
async function watchReading(
  server: BenchServer,
  { syncId, threads, after }: { syncId: string; threads: number; after: string | null },
): Promise<Reading & { startedAt: string }> {
  const along: number[] = [];
  for (;;) {
    const { syncs } = await server.call('list_syncs', {});
    const sync = (syncs as Sync[]).find(({ sync_id }) => sync_id === syncId);
    if (sync?.failure) throw new Error(sync.failure);
    const { started_at: startedAt, finished_at: end, items_done: done = 0 } = sync ?? {};
    if (done >= ((along.length + 1) * threads) / 4) along.push(readMegabytes(server.pid, 'VmRSS'));
    if (startedAt && end && startedAt !== after && end >= startedAt) {
      const seconds = (Date.parse(end) - Date.parse(startedAt)) / 1000;
      return { startedAt, seconds, along, megabytes: readMegabytes(server.pid, 'VmHWM') };
    }
    await sleep(50);
  }
}

/** What a process holds, or the most it ever held (Linux). */
function readMegabytes(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** A row that says whether a bar was met. */
export function buildBarRow(name: string, measured: number, bar: number, unit: string) {
  return { name, value: `${measured.toFixed(1)}${unit}: ${measured <= bar ? 'met' : 'missed'}` };
}
