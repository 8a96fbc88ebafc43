// Counts which memories were recalled by whom, without delaying the calls.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transactions } from '#kernel/database';
import { addRecalls, type RecallCounts } from '../store/recalls.ts';

/** The recalls of one call. */
export type RecalledMemories = {
  workspaceId: string;
  sessionId: string | null;
  memories: readonly { id: string; brain_id: string }[];
};

export type RecallRecord = {
  /**
   * Records returned memories without delaying the call. They are written within a tenth of a second, together with
   * later ones.
   */
  note(given: RecalledMemories): void;
  /** Waits briefly until these recalls are stored. */
  waitUntilCounted(): Promise<void>;
  close(): Promise<void>;
};

type Options = { transactions: Transactions; now: () => Date; onError: (error: unknown) => void };

const writeAfterMs = 100;
/** A waiting caller keeps a connection that the record may need, too, so the wait is short. */
const longestWaitMs = 500;

/** Recalls are kept in memory for a tenth of a second: a crash loses only these counts. */
function createRecallRecord({ transactions, now, onError }: Options): RecallRecord {
  let noted: RecalledMemories[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = noted;
    noted = [];
    if (batch.length) writing = writing.then(() => writeAll(transactions, batch, now()).catch(onError));
    return writing;
  }

  return {
    note(given) {
      if (!given.memories.length) return;
      noted.push(given);
      timer ??= setTimeout(() => void write(), writeAfterMs).unref();
    },
    async waitUntilCounted() {
      await Promise.race([write(), sleep(longestWaitMs, undefined, { ref: false })]);
    },
    close: write,
  };
}

async function writeAll(transactions: Transactions, batch: readonly RecalledMemories[], at: Date): Promise<void> {
  for (const [workspaceId, given] of Map.groupBy(batch, (each) => each.workspaceId)) {
    await transactions.run(workspaceId, 'write', (db) => addRecalls(db, sumRecalls(given, at)));
  }
}

function sumRecalls(given: readonly RecalledMemories[], at: Date): RecallCounts {
  const counts = new Map<string, number>();
  const brains = new Map<string, number>();
  const sessions = new Map<string, { sessionId: string; memoryId: string }>();
  for (const { sessionId, memories } of given) {
    for (const { id, brain_id } of memories) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      brains.set(brain_id, (brains.get(brain_id) ?? 0) + 1);
      if (sessionId) sessions.set(`${sessionId} ${id}`, { sessionId, memoryId: id });
    }
  }
  return { counts, brains, sessions: [...sessions.values()], at };
}

/** The server's one record. */
export const getRecallRecord = memoizePerServer(({ transactions, log }: Ground) =>
  createRecallRecord({
    transactions,
    onError: (err) => log.warn({ err }, 'recalls could not be counted'),
    now,
  }),
);
