// Calls a worker thread, and starts it again when it dies.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError } from '#kernel/errors';
import type { Log } from '#platform/log';
import type { Calls, Request, Response } from './messages.ts';

const mostAttempts = 2;
const closeTimeoutMs = 5_000;

type Pending = {
  readonly request: Request;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: AppError) => void;
  attempts: number;
};

export type WorkerClient = {
  call<Name extends keyof Calls>(call: Name, query: Calls[Name]['query']): Promise<Calls[Name]['answer']>;
  /** Starts the thread before the first call needs it. */
  warmUp(): void;
  close(): Promise<void>;
};

/**
 * Calls are answered by a thread that is started with the first of them, or by `warmUp`. When the thread dies, those it had not
 * answered are tried once more in a new one, and then fail with `unavailable`.
 */
export function createWorkerClient(start: () => Worker, log?: Pick<Log, 'warn'>): WorkerClient {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let lastNumber = 0;
  let isClosed = false;

  function running(): Worker {
    worker ??= watched(start(), settle, (code, cause) => {
      worker = null;
      if (isClosed) return;
      log?.warn({ code, err: cause }, 'The search thread ended and is started again when needed.');
      retry(cause);
    });
    return worker;
  }

  function send(entry: Pending): void {
    entry.attempts += 1;
    const thread = running();
    // A thread with nothing to do must not keep the process alive.
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(entry.request);
  }

  function settle(response: Response): void {
    const entry = pending.get(response.number);
    pending.delete(response.number);
    if (pending.size === 0) worker?.unref();
    if (!entry) return;
    // The worker answers a call with that call's answer.
    if ('answer' in response) entry.resolve(response.answer as never);
    else entry.reject(unavailable(Object.assign(new Error(response.failure.message), response.failure)));
  }

  function retry(cause: unknown): void {
    for (const [number, entry] of pending) {
      if (entry.attempts < mostAttempts) send(entry);
      else {
        pending.delete(number);
        entry.reject(unavailable(cause));
      }
    }
  }

  return {
    call(call, query) {
      if (isClosed) return Promise.reject(unavailable(new Error('Search is closed.')));
      return new Promise((resolve, reject) => {
        lastNumber += 1;
        // A call's name and its query belong together by this function's signature.
        const request = { number: lastNumber, call, query } as Request;
        const entry = { request, resolve, reject, attempts: 0 };
        pending.set(lastNumber, entry);
        send(entry);
      });
    },
    warmUp() {
      if (!isClosed && pending.size === 0) running().unref();
    },
    async close() {
      isClosed = true;
      for (const entry of pending.values()) entry.reject(unavailable(new Error('Search was closed.')));
      pending.clear();
      if (worker) await ended(worker);
    },
  };
}

function watched(
  worker: Worker,
  onMessage: (response: Response) => void,
  onExit: (code: number, cause: unknown) => void,
): Worker {
  let cause: unknown;
  worker.on('message', onMessage);
  worker.on('error', (error) => (cause = error));
  worker.on('exit', (code) => onExit(code, cause));
  return worker;
}

/** Has the thread close its connections and end. One that does not is left to the end of the process. */
async function ended(worker: Worker): Promise<void> {
  const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage('close');
  const timeout = new AbortController();
  await Promise.race([exit, sleep(closeTimeoutMs, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
  worker.unref();
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'Search cannot answer now. Try again in a moment.', {}, { cause });
}
