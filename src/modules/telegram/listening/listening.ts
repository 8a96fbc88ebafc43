// Makes one of all processes listen to each bot, and takes over bots of dead processes.
import type { Db } from '#kernel/database';
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import { listen, type WakeUps } from './listen.ts';
import { listFreeBots, takeBot } from '../store/bots.ts';
import { listBotsToSpeak } from '../store/prompts.ts';
import type { TurnDeps } from '../turns/turn.ts';

type Options = Omit<TurnDeps, 'later'> & {
  /** Work of the server itself, over all workspaces. */
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** How often bots without a listener and messages to send are looked for. */
  pollMs: number;
};

/** Each waits with its own request; other processes listen to the rest. */
const mostBots = 1_000;
const longestStopMs = 5_000;

/**
 * Listens in the background. Any number of processes may do it: they share the bots by leases. Stopping releases every
 * bot after its current messages, so that other processes continue at once.
 */
export function createListening(options: Options): Worker {
  const { asSystem, transactions, now, log, pollMs } = options;
  const nudges: WakeUps = new Map();
  const onError = (err: unknown) => log.warn({ err }, 'Telegram bots could not be read');
  const worker = createWorker({ look, everyMs: pollMs, finishWithinMs: 0, longestStopMs, onError });
  const parts: TurnDeps = { ...options, later };

  function later(work: Promise<unknown>): void {
    const reported = work.catch((err: unknown) =>
      log.warn({ err }, 'the answer to a decision over Telegram could not be shown'),
    );
    worker.begin([], () => reported);
  }

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<void> {
    const free = await asSystem((db) => listFreeBots(db, mostBots - tasks.count('bots')));
    for (const { connection_id: id, workspace_id: workspaceId } of free) {
      if (stopped.aborted || tasks.count(id)) continue;
      const bot = await transactions.run(workspaceId, 'write', (db) => takeBot(db, id));
      if (bot) tasks.begin(['bots', id], (ending) => listen(parts, bot, ending, nudges));
    }
    for (const id of await asSystem((db) => listBotsToSpeak(db, [...nudges.keys()], now()))) nudges.get(id)?.();
  }

  return worker;
}
