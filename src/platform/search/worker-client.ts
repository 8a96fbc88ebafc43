// Calls a worker thread, and restarts it when it dies.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Log } from '#platform/log';
import { createMarks, readMarks } from './marks.ts';
import type { Calls, Notice, Request, Response } from './messages.ts';
import { createPendingCalls, createSearchUnavailableError, type PendingCall } from './pending-calls.ts';
import { createSkippedRows } from './row-guard.ts';
import { createStuckWatch } from './stuck-watch.ts';

const closeTimeoutMs = 5_000;

export type WorkerClient = {
  call<Name extends keyof Calls>(call: Name, query: Calls[Name]['query']): Promise<Calls[Name]['answer']>;
  /** Starts the thread before the first call needs it. */
  warmUp(): void;
  close(): Promise<void>;
};

type Options = {
  /** Starts a thread that writes these marks, and skips these rows in its indexes. */
  start: (marks: SharedArrayBuffer, skippedRows: readonly string[]) => Worker;
  /** Receives messages that the thread sends unasked. */
  onNotice?: (notice: Notice) => void;
  log?: Pick<Log, 'warn'> | undefined;
  budget?: Parameters<typeof createStuckWatch>[1];
};

/**
 * A thread answers calls; the first call, or `warmUp`, starts it. When the thread dies, its unanswered calls are tried
 * once more in a new thread, and then fail with `unavailable`. A call that computes for longer than 5 s fails alone,
 * and its thread ends. A row that was being indexed when a thread ended is skipped by the next threads for an hour.
 */
export function createWorkerClient({ start, log, budget, onNotice = () => {} }: Options): WorkerClient {
  const pending = createPendingCalls();
  const skipped = createSkippedRows();
  let worker: Worker | null = null;
  let marks = createMarks();
  let lastNumber = 0;
  let isClosed = false;
  const watch = createStuckWatch(endStuck, budget);

  function running(): Worker {
    if (worker) return worker;
    marks = createMarks();
    worker = watchWorker(start(marks, skipped.list()), finishCall, onNotice, (code, cause) => {
      worker = null;
      watch.stop();
      if (isClosed) return;
      const { row } = readMarks(marks);
      if (row !== null) skipped.add(row);
      reportEnd(log, { code, err: cause, row });
      for (const entry of pending.toRetry(cause)) send(entry);
    });
    return worker;
  }

  /** The call that the thread cannot finish fails; a new thread answers the others. */
  function endStuck(number: number): void {
    log?.warn({}, 'A search or a row blocked the search thread, which is stopped.');
    pending.failStuck(number);
    void worker?.terminate();
  }

  function send(entry: PendingCall): void {
    entry.attempts += 1;
    const thread = running();
    // An idle thread must not keep the process alive.
    thread.ref();
    watch.start(marks);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(entry.request);
  }

  function finishCall(response: Response): void {
    pending.finish(response);
    if (!pending.isEmpty()) return;
    worker?.unref();
    watch.stop();
  }

  return {
    call(call, query) {
      if (isClosed) return Promise.reject(createSearchUnavailableError(new Error('Search is closed.')));
      return new Promise((resolve, reject) => {
        lastNumber += 1;
        // This function's signature ties a call's name to its query.
        const request = { number: lastNumber, call, query } as Request;
        const entry = { request, resolve, reject, attempts: 0 };
        pending.add(entry);
        send(entry);
      });
    },
    warmUp: () => void (!isClosed && pending.isEmpty() && running().unref()),
    async close() {
      isClosed = true;
      watch.stop();
      pending.failAll(new Error('Search was closed.'));
      if (worker) await endWorker(worker);
    },
  };
}

/** A row that was being indexed when the thread ended is skipped by the next threads. */
function reportEnd(log: Options['log'], end: { code: number; err: unknown; row: string | null }): void {
  log?.warn(end, 'The search thread ended. The next search starts it again.');
  if (end.row !== null)
    log?.warn(end, 'Indexing this row ended the search thread. The row is not searched for an hour.');
}

function watchWorker(
  worker: Worker,
  onAnswer: (answer: Response) => void,
  onNotice: (notice: Notice) => void,
  onExit: (code: number, cause: unknown) => void,
): Worker {
  let cause: unknown;
  worker.on('message', (message: Response | Notice) => ('brainId' in message ? onNotice(message) : onAnswer(message)));
  worker.on('error', (error) => (cause = error));
  worker.on('exit', (code) => onExit(code, cause));
  return worker;
}

/** Lets the thread close its connections and end. A thread that does not is ended with the process. */
async function endWorker(worker: Worker): Promise<void> {
  const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage('close');
  const timeout = new AbortController();
  await Promise.race([exit, sleep(closeTimeoutMs, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
  worker.unref();
}
