// Translates events in the background, in any number of server processes. The events of one connector keep their order.
import type { Db } from '#kernel/database';
import { keepLease } from '#platform/lease';
import type { Log } from '#platform/log';
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import {
  listConnectorsWithWork,
  findConnector,
  renewConnectorLease,
  releaseConnector,
  leaseConnector,
} from '../store/connectors.ts';
import { takeEvents, listWaitingEvents } from '../store/events.ts';
import type { ConnectorRow } from '../store/tables.ts';
import { storeEvent, translateEvent, type ProcessEventDeps } from './process-event.ts';

const lookMs = 500;
const leaseMs = 15_000;
const renewMs = 3_000;
const batch = 50;
/** How many events of one connector are translated at the same time. They are stored one after another. */
const atOnce = 4;
/** The most bytes of their bodies together, unless one alone is larger. */
const bytesAtOnce = 16_000_000;
const mostConnectors = 8;
const finishWithinMs = 5_000;

export type WorkerOptions = ProcessEventDeps & { asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>; log: Log };

/** Translates as long as the process runs; any number of processes share the connectors by leases. */
export function createTranslating(options: WorkerOptions): Worker {
  const { transactions, log } = options;
  const onError = (err: unknown) => log.warn({ err }, 'webhook events could not be read');

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<void> {
    for (const { id, workspace_id } of await options.asSystem(listConnectorsWithWork)) {
      if (stopped.aborted || tasks.count() >= mostConnectors) break;
      if (tasks.count(id)) continue;
      const failed = (err: unknown) => {
        log.error({ err, connector: id }, 'webhook events could not be translated');
        return false;
      };
      tasks.begin([id], (ending) => work(workspace_id, id, ending).catch(failed));
    }
  }

  async function work(workspaceId: string, id: string, ending: AbortSignal): Promise<void> {
    const connector = await transactions.run(workspaceId, 'write', (db) => leaseConnector(db, id, leaseMs));
    if (!connector) return;
    const keep = () => transactions.run(workspaceId, 'write', (db) => renewConnectorLease(db, connector, leaseMs));
    await using lease = keepLease(keep, { everyMs: renewMs, onError });
    const ended = AbortSignal.any([lease.lost, ending]);
    try {
      while (!ended.aborted && (await workBatch(connector, ended)));
    } finally {
      await transactions.run(workspaceId, 'write', (db) => releaseConnector(db, connector));
    }
  }

  /** Processes the oldest waiting events. False: there were none. */
  async function workBatch(taken: ConnectorRow, ended: AbortSignal): Promise<boolean> {
    const { waiting, connector } = await transactions.run(taken.workspace_id, 'read', (db) => takeNextBatch(db, taken));
    for (const ids of splitBySize(waiting)) {
      if (ended.aborted) break;
      const some = await transactions.run(taken.workspace_id, 'write', (db) => takeEvents(db, ids));
      const ready = await Promise.all(some.map((event) => translateEvent(options, connector, event)));
      for (const each of ready) if (!ended.aborted) await storeEvent(options, connector, each);
    }
    return waiting.length > 0;
  }

  return createWorker({ look, everyMs: lookMs, finishWithinMs, onError });
}

/** The oldest events that wait, and the connector as it is now. */
async function takeNextBatch(db: Db, taken: ConnectorRow) {
  const { lease_token } = taken;
  const connector = { ...((await findConnector(db, taken.id)) ?? taken), lease_token };
  return { waiting: await listWaitingEvents(db, connector.id, batch), connector };
}

/** Ids of events whose bodies are in memory together. */
function splitBySize(waiting: readonly { id: string; bytes: number | null }[]): string[][] {
  const parts: string[][] = [];
  let size = 0;
  for (const { id, bytes } of waiting) {
    const last = parts.at(-1);
    size += bytes ?? 0;
    if (last && last.length < atOnce && size <= bytesAtOnce) last.push(id);
    else [size] = [bytes ?? 0, parts.push([id])];
  }
  return parts;
}
