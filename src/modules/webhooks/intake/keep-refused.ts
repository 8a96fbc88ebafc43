// Stores rejected requests: one row each, up to a limit per minute.
import type { Transactions } from '#kernel/database';
import { LRUCache } from 'lru-cache';
import { countEvent, hasRows, insertEvent, type NewEvent } from '../store/new-events.ts';
import type { KnownConnector } from './known-connectors.ts';

/** The most rows of a kind per minute. One row counts the rest. */
const rowsPerMinute = 600;
const minute = 60_000;
const mostCounts = 10_000;

type KeepRefusedDeps = { transactions: Transactions; count(connectorId: string, outcome: string): void };

/** Creates the function that stores a rejected request. */
export function createKeepRefused({ transactions, count }: KeepRefusedDeps) {
  const counts = new LRUCache<string, { minute: number; rows: number }>({ max: mostCounts });

  function isCountedOnly(connectorId: string, outcome: string, at: Date): boolean {
    const now = Math.floor(at.getTime() / minute);
    const key = `${connectorId} ${outcome}`;
    const before = counts.get(key);
    const entry = before?.minute === now ? before : { minute: now, rows: 0 };
    entry.rows += 1;
    counts.set(key, entry);
    return entry.rows > rowsPerMinute;
  }

  return async function keepRefused(connector: KnownConnector, event: NewEvent): Promise<void> {
    count(connector.id, event.outcome);
    await transactions.run(connector.workspaceId, 'write', async (db) => {
      const since = new Date(Math.floor(event.received_at.getTime() / minute) * minute);
      const isOver =
        isCountedOnly(connector.id, event.outcome, event.received_at) ||
        (await hasRows(db, event, { since, count: rowsPerMinute })); // also those that other processes stored
      await (isOver ? countEvent(db, event, since) : insertEvent(db, event));
    });
  };
}
