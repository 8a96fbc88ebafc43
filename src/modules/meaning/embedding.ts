// Keeps the vectors of every workspace up to date with its texts, in the background, as long as an embedder is set.
import { AppError } from '#kernel/errors';
import { LlmCapReached } from '#modules/usage';
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import { awaitRun, noteEmbeddingError } from './store.ts';
import { formatCapReason, takeTurn, type Runs, type TurnDoors } from './take-turn.ts';

type Options = TurnDoors & { listWorkspaces(): Promise<readonly string[]> };

/** The background work. Any number of processes may do it concurrently; they share it by claims. */
export type EmbeddingWork = Worker & {
  /** Reports a write in a workspace, which is then checked soon. */
  nudge(workspaceId: string): void;
};

/** Writes come in bursts, so a short wait makes fuller batches. */
const debounceMs = 150;
/** The latest time at which work of another process, or of a dead one, is found. */
const sweepMs = 30_000;
/** The pause after an error; twice as long after each further one. */
const shortestPauseMs = 15_000;
const longestPauseMs = 300_000;
/** Unfinished work is repeated by the next process. */
const longestStopMs = 5_000;

/** How many workspaces this process embeds at a time: each has several concurrent batches. */
const workspacesAtOnce = 1;

/** Creates the work; nothing happens before it is started. */
export function createEmbedding(options: Options): EmbeddingWork {
  const { listWorkspaces, log, now } = options;
  const due = new Set<string>();
  const runs: Runs = { begun: new Set(), left: new Set() };
  /** Workspaces at a daily cap, and until when; the others continue. */
  const capped = new Map<string, number>();
  let sweptAt = -Infinity;
  let pause = 0;
  let pausedUntil = 0;

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<number> {
    const left = pausedUntil - performance.now();
    if (left > 0) return left; // woken by writes from before the error
    if (performance.now() - sweptAt >= sweepMs) {
      for (const workspaceId of await listWorkspaces()) due.add(workspaceId);
      sweptAt = performance.now();
    }
    for (const workspaceId of due) {
      if (stopped.aborted || tasks.count() >= workspacesAtOnce) break;
      due.delete(workspaceId);
      if ((capped.get(workspaceId) ?? 0) > now().getTime()) continue;
      capped.delete(workspaceId);
      tasks.begin([workspaceId], () => work(workspaceId, stopped));
    }
    return sweepMs;
  }

  /** A workspace with more work goes to the end of the line. */
  async function work(workspaceId: string, stopped: AbortSignal): Promise<void> {
    try {
      if (await takeTurn(options, runs, workspaceId, () => stopped.aborted)) due.add(workspaceId);
      pause = 0;
    } catch (error) {
      const place = { workspaceId, hasBegun: runs.begun.has(workspaceId) };
      if (error instanceof LlmCapReached) {
        capped.set(workspaceId, error.resetsAt.getTime());
        await reportEmbeddingError(options, place, error, error.resetsAt.getTime() - now().getTime());
        return;
      }
      due.add(workspaceId);
      pause = pauseAfter(error, pause);
      pausedUntil = performance.now() + pause;
      if (!stopped.aborted) await reportEmbeddingError(options, place, error, pause);
    }
  }

  const onError = (err: unknown) => log.warn({ err }, 'workspaces could not be listed for embedding');
  const finishing = { finishWithinMs: longestStopMs, longestStopMs };
  const worker = createWorker({ look, everyMs: sweepMs, ...finishing, onError });
  return {
    ...worker,
    nudge(workspaceId) {
      due.add(workspaceId);
      if (!pause) worker.wake(debounceMs);
    },
  };
}

/** As long as the embedder asks for, if it does. */
function pauseAfter(error: unknown, before: number): number {
  const asked = error instanceof AppError ? Number(error.details['retry_after_seconds'] ?? 0) * 1000 : 0;
  return Math.min(longestPauseMs, Math.max(asked, before * 2 || shortestPauseMs));
}

async function reportEmbeddingError(
  { transactions, embedder, now, log, count }: Options,
  { workspaceId, hasBegun }: { workspaceId: string; hasBegun: boolean },
  error: unknown,
  pause: number,
): Promise<void> {
  count('failed', 1);
  log.warn({ err: error, again_in_seconds: pause / 1000 }, 'embedding was interrupted and continues later');
  const known = error instanceof AppError ? error.message : 'Something went wrong on the server. See its log.';
  const message = error instanceof LlmCapReached ? formatCapReason(error) : known;
  await transactions
    .run(workspaceId, 'write', async (db) => {
      if (!hasBegun) await awaitRun(db, workspaceId, embedder.model, now());
      await noteEmbeddingError(db, workspaceId, message.slice(0, 1_000), now());
    })
    .catch(() => {}); // the database itself failed
}
