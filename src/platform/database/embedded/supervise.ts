// Keeps a server running until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './error-code.ts';
import { takeCharge, type Charge, type Cluster } from './take-charge.ts';

// The pauses before each next attempt. After a server that ran for a while, they start from the first one.
const backOff = [0, 100, 500, 2_000, 5_000, 10_000];
const stayedUp = 30_000;

// After each pause, the next and harsher signal. SIGQUIT leaves recovery to the next start, and loses nothing.
const stopSignals = [
  { signal: 'SIGINT', patience: 8_000 },
  { signal: 'SIGQUIT', patience: 3_000 },
  { signal: 'SIGKILL', patience: 3_000 },
] as const;

/** Watches a server and restarts it whenever it dies. Returns the function that stops it, which may be called twice. */
export function supervise(cluster: Cluster, first: Charge): () => Promise<void> {
  const stopping = new AbortController();
  let charge: Charge | undefined = first;
  let failures = 0;
  let restart: Promise<void> = Promise.resolve();

  function watch(current: Charge): void {
    const since = Date.now();
    current.lock.once('end', () => {
      if (stopping.signal.aborted) return;
      charge = undefined;
      if (Date.now() - since > stayedUp) failures = 0;
      cluster.log(
        `The connection to PostgreSQL (process ${current.pid}) broke. Connecting again, and starting it if it has died.`,
      );
      restart = bringBack();
    });
  }

  async function bringBack(): Promise<void> {
    while (!stopping.signal.aborted) {
      const wait = backOff[Math.min(failures, backOff.length - 1)];
      failures += 1;
      try {
        await sleep(wait, undefined, { signal: stopping.signal });
        charge = await takeCharge(cluster, stopping.signal);
        watch(charge);
        cluster.log(`PostgreSQL is back (process ${charge.pid}).`);
        return;
      } catch (error) {
        if (!stopping.signal.aborted) cluster.log(error instanceof Error ? error.message : String(error));
      }
    }
  }

  // For an unexpected exit, such as an uncaught error. It cannot wait, and need not.
  function stopAtExit(): void {
    if (charge?.isRunning()) sendSignal(charge.pid, 'SIGINT');
  }

  watch(first);
  process.once('exit', stopAtExit);
  let stopped: Promise<void> | undefined;
  return () =>
    (stopped ??= (async () => {
      stopping.abort();
      await restart;
      if (charge) await shutDown(cluster, charge);
      process.removeListener('exit', stopAtExit);
    })());
}

async function shutDown(cluster: Cluster, { pid, lock, isRunning }: Charge): Promise<void> {
  for (const { signal, patience } of stopSignals) {
    if (!isRunning()) break;
    sendSignal(pid, signal);
    const giveUp = Date.now() + patience;
    while (isRunning() && Date.now() < giveUp) await sleep(5);
    if (isRunning()) cluster.log(`PostgreSQL (process ${pid}) has not stopped ${patience / 1_000} s after ${signal}.`);
  }
  // Ended last: no other process may take over before the server is down.
  await lock.end();
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It died a moment ago.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
