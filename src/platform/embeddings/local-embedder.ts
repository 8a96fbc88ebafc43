// Runs an ONNX model on this machine in its own thread: a batch takes longer than the main thread may be blocked.
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#kernel/errors';
import { checkLengths } from './check-vectors.ts';
import { createSpace, type Embedder, type RetryLimits } from './embedder.ts';
import type { LocalAnswer, LocalRequest } from './local-messages.ts';

export type LocalEmbedderSettings = {
  /** The folder of config.json, tokenizer.json and onnx/. */
  folder: string;
  dimensions: number | null;
};

/** How many texts are embedded at a time: a search waits for one such batch at most. */
const mostTexts = 8;

type Task = { texts: string[]; resolve(vectors: Float32Array[]): void; reject(error: unknown): void };

/** Opens a local model. The first text starts the thread and loads the model. */
export function createLocalEmbedder({ folder, dimensions }: LocalEmbedderSettings): Embedder {
  const model = `local:${basename(folder)}`;
  const waiting: Task[] = [];
  let worker: Worker | null = null;
  let current: Task | null = null;

  function next(): void {
    if (current) return;
    current = waiting.shift() ?? null;
    if (!current) return worker?.unref();
    worker ??= start();
    worker.ref();
    const request: LocalRequest = { texts: current.texts };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request);
  }

  function finish(act: (task: Task) => void): void {
    const task = current;
    current = null;
    if (task) act(task);
    next();
  }

  function start(): Worker {
    const thread = new Worker(new URL('./local-worker.ts', import.meta.url), { workerData: { folder } });
    let cause: unknown;
    thread.on('message', (answer: LocalAnswer) =>
      finish((task) => ('vectors' in answer ? task.resolve(answer.vectors) : task.reject(buildError(answer.problem)))),
    );
    thread.on('error', (error) => (cause = error));
    thread.on('exit', () => {
      if (worker === thread) worker = null;
      finish((task) => task.reject(buildError('Its thread ended. The next text starts it again.', cause)));
    });
    return thread;
  }

  function embedBatch(texts: string[], isUrgent: boolean): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      const task = { texts, resolve, reject };
      if (isUrgent) waiting.unshift(task);
      else waiting.push(task);
      next();
    });
  }

  async function embed(texts: readonly string[], { isUrgent = false }: RetryLimits = {}): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += mostTexts) {
      vectors.push(...(await embedBatch(texts.slice(at, at + mostTexts), isUrgent)));
    }
    if (dimensions !== null) checkLengths(vectors, dimensions);
    return vectors;
  }

  return {
    model,
    embed,
    space: createSpace(model, dimensions, embed),
    async close() {
      for (const task of waiting.splice(0)) task.reject(buildError('It was closed.'));
      await worker?.terminate();
    },
  };
}

function buildError(problem: string, cause?: unknown): AppError {
  return new AppError('upstream_failed', `The local embedder failed. ${problem}`, {}, { cause });
}
