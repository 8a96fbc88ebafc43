// Makes one of all processes listen to each bot, and takes over bots of dead processes.
import type { Db } from '#kernel/database';
import { background, type Running } from '#platform/background';
import { listen, type Nudges } from './listen.ts';
import { freeBots, takeBot } from './store/bots.ts';
import { botsToSpeak } from './store/prompts.ts';
import type { TurnDeps } from './turn.ts';

type Options = Omit<TurnDeps, 'later'> & {
  /** Work of the server itself, over all workspaces. */
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** How often free bots and messages to send are looked for. */
  pollMs: number;
};

/** Each waits with its own request; other processes listen to the rest. */
const mostBots = 1_000;
const longestStopMs = 5_000;

/**
 * Listens in the background. Any number of processes may do it at once; they share it by leases. Stopping gives every bot back after the
 * messages under way, so that others go on at once.
 */
export function createListening(options: Options): Running {
  const { asSystem, transactions, now, log, pollMs } = options;
  const listened = new Map<string, Promise<void>>();
  const nudges: Nudges = new Map();
  const unfinished = new Set<Promise<unknown>>();
  const parts: TurnDeps = { ...options, later: keep };

  function keep(work: Promise<unknown>): void {
    const ended = work
      .catch((err: unknown) => log.warn({ err }, 'what was decided over Telegram has come to no answer'))
      .finally(() => unfinished.delete(ended));
    unfinished.add(ended);
  }

  async function look(stopped: AbortSignal): Promise<void> {
    const free = await asSystem((db) => freeBots(db, mostBots - listened.size));
    for (const { connection_id: id, workspace_id: workspaceId } of free) {
      if (stopped.aborted || listened.has(id)) continue;
      const bot = await transactions.run(workspaceId, 'write', (db) => takeBot(db, id));
      if (!bot) continue;
      const ended = listen(parts, bot, stopped, nudges).finally(() => listened.delete(id));
      listened.set(id, ended);
    }
    for (const id of await asSystem((db) => botsToSpeak(db, [...nudges.keys()], now()))) nudges.get(id)?.();
  }

  const onError = (err: unknown) => log.warn({ err }, 'bots of Telegram could not be looked for');
  const lastly = async () => void (await Promise.all([...listened.values(), ...unfinished]));
  return background(look, { everyMs: pollMs, longestStopMs, lastly, onError });
}
