// The lease of a process on a run that it has claimed: it renews the lease, stores output, and knows why the run must
// end.
import { AppError } from '#kernel/errors';
import { createBackground } from '#platform/background';
import { isModelCap, type ReachedCap } from '../reached-cap.ts';
import { renewLease, requestStopByCap, updateLeasedRun } from '../store/runs.ts';
import type { RunRow } from '../store/tables.ts';
import type { RunDeps } from './run-deps.ts';

export const leaseMs = 15_000;
const renewMs = 1_000;

export type RunLease = ReturnType<typeof createRunLease>;

/** Renews the lease, stores output, and checks for a request to stop. */
export function createRunLease({ transactions, log }: RunDeps, run: RunRow, stopping: AbortSignal) {
  const end = createEnd();
  const fresh = { stdout: '', stderr: '' };
  let begun: Promise<void> | null = null;
  let pending: Promise<void> = Promise.resolve();

  async function renew(): Promise<void> {
    const { stdout, stderr } = fresh;
    Object.assign(fresh, { stdout: '', stderr: '' });
    const row = await transactions.run(run.workspace_id, 'write', (db) =>
      renewLease(db, run, { leaseMs, stdout, stderr }),
    );
    if (!row) end.stop('lost');
    else if (isModelCap(row.stop)) end.stopAfterQuestions(row.stop, row.message);
    else if (row.stop) end.stop(row.stop);
  }
  const onStopping = () => end.stop('server_stopped');
  const look = () => (pending = pending.then(renew, renew));
  const onError = (err: unknown) => log.warn({ err, run: run.id }, 'the lease of a run could not be renewed');
  const renewing = createBackground(look, { everyMs: renewMs, firstAfterMs: renewMs, onError });
  renewing.start();
  stopping.addEventListener('abort', onStopping);

  return {
    signal: end.signal,
    why: end.why,
    ask: end.ask,
    hasCalled: () => begun !== null,
    output: (stream: 'stdout' | 'stderr', text: string) => void (fresh[stream] += text),
    /** Records a call before it is answered. Throws when this process has lost the run. */
    begin() {
      begun ??= transactions
        .run(run.workspace_id, 'write', (db) => updateLeasedRun(db, run, { has_called: true }))
        .then((isRenewed) => {
          if (!isRenewed) end.stop('lost');
        });
      return begun.then(() => {
        if (end.why()) throw new AppError('conflict', 'This run has ended.');
      });
    },
    /** Checks at once for a request to stop, such as a reached cap. */
    look,
    /** Ends the run at a cap: its row then says so, and it ends once its questions under way are answered. */
    async stopByCap(reached: ReachedCap) {
      await transactions.run(run.workspace_id, 'write', (db) => requestStopByCap(db, run.id, reached));
      await look();
      await end.whenAnswered();
    },
    async stop() {
      await renewing.stop();
      stopping.removeEventListener('abort', onStopping);
      await pending.catch(() => {});
    },
  };
}

/** Ends a run before its code has ended, and keeps the first reason. */
function createEnd() {
  const ended = new AbortController();
  const questions = new Set<Promise<unknown>>();
  let why: { reason: string; message: string } | null = null;

  let answered: Promise<void> = Promise.resolve();

  function stop(reason: string, message: string | null = null): void {
    why ??= { reason, message: message ?? reasons[reason] ?? 'It was stopped.' };
    ended.abort();
  }

  async function stopOnceAnswered(reason: string, message: string | null): Promise<void> {
    while (questions.size) await Promise.allSettled(questions);
    stop(reason, message);
  }
  return {
    signal: ended.signal,
    why: () => why,
    stop,
    /** Ends the run once its current questions are answered, because they are already paid for. */
    stopAfterQuestions: (reason: string, message: string | null) => void (answered = stopOnceAnswered(reason, message)),
    whenAnswered: () => answered,
    /** A question to a model, until its answer. */
    async ask<Answer>(question: Promise<Answer>): Promise<Answer> {
      questions.add(question);
      return question.finally(() => questions.delete(question));
    },
  };
}

const reasons: Record<string, string> = {
  stopped: 'It was stopped.',
  server_stopped: 'The server stopped while it ran.',
  lost: 'Another process has taken it over.',
};
