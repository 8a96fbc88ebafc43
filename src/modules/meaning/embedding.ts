// Keeps the vectors of every workspace up with its texts, in the background, as long as an embedder is set.
import { AppError } from '#kernel/errors';
import { LlmCapReached } from '#modules/usage';
import { createBackground, type RunningTask } from '#platform/background';
import { awaitRun, noteEmbeddingError } from './store.ts';
import { formatCapReason, takeTurn, type Runs, type TurnDoors } from './take-turn.ts';

type Options = TurnDoors & { listWorkspaces(): Promise<readonly string[]> };

/** The work in the background. Any number of processes may do it at once; they share it by claims. */
export type EmbeddingWork = RunningTask & {
  /** A write there: the workspace is checked soon. */
  nudge(workspaceId: string): void;
};

/** Writes come in bursts, so a short wait makes fuller batches. */
const debounceMs = 150;
/** The latest time at which work of another process, or of one that died, is found. */
const sweepMs = 30_000;
/** The pause after an error; twice as long after each further one. */
const shortestPauseMs = 15_000;
const longestPauseMs = 300_000;
/** Unfinished work is repeated by the next process. */
const longestStopMs = 5_000;

/** Makes the work; nothing happens before it is started. */
export function createEmbedding(options: Options): EmbeddingWork {
  const { listWorkspaces, log } = options;
  const due = new Set<string>();
  const runs: Runs = { begun: new Set(), left: new Set() };
  /** Workspaces at a daily cap, and until when; the others go on. */
  const held = new Map<string, number>();
  let sweptAt = -Infinity;
  let pause = 0;
  let pausedUntil = 0;

  async function round(stopped: AbortSignal): Promise<number> {
    const left = pausedUntil - performance.now();
    if (left > 0) return left; // woken by writes from before the error
    if (performance.now() - sweptAt >= sweepMs) {
      for (const workspaceId of await listWorkspaces()) due.add(workspaceId);
      sweptAt = performance.now();
    }
    await work(stopped);
    pausedUntil = performance.now() + pause;
    return pause || (due.size ? debounceMs : sweepMs);
  }

  /** A workspace with more work goes to the end of the line. */
  async function work(stopped: AbortSignal): Promise<void> {
    for (const workspaceId of due) {
      if (stopped.aborted) return;
      due.delete(workspaceId);
      if ((held.get(workspaceId) ?? 0) > options.now().getTime()) continue;
      held.delete(workspaceId);
      try {
        if (await takeTurn(options, runs, workspaceId, () => stopped.aborted)) due.add(workspaceId);
        pause = 0;
      } catch (error) {
        const place = { workspaceId, hasBegun: runs.begun.has(workspaceId) };
        if (error instanceof LlmCapReached) {
          held.set(workspaceId, error.resetsAt.getTime());
          await reportEmbeddingError(options, place, error, error.resetsAt.getTime() - options.now().getTime());
          continue;
        }
        due.add(workspaceId);
        pause = pauseAfter(error, pause);
        if (!stopped.aborted) await reportEmbeddingError(options, place, error, pause);
        return;
      }
    }
  }

  const onError = (err: unknown) => log.warn({ err }, 'workspaces could not be listed for embedding');
  const running = createBackground(round, { everyMs: sweepMs, longestStopMs, onError });
  return {
    ...running,
    nudge(workspaceId) {
      due.add(workspaceId);
      if (!pause) running.wake(debounceMs);
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
    .catch(() => {}); // the database is what failed
}
