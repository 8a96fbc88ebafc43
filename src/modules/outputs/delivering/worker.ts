// Sends due deliveries, in any number of server processes. Each destination has its own queue, which is a task of the worker.
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import { listDestinationsWithWork } from '../store/deliveries.ts';
import type { DeliveryDeps } from './dependencies.ts';
import { startDestinationQueue, type DestinationQueue } from './destination-queue.ts';

const lookMs = 500;
/** The most concurrent deliveries to one destination, in each process. */
const atOnce = 4;
const mostAtOnce = 64;
/** Longer than a request takes: what was sent is stored, or it would be sent again. */
const longestStopMs = 20_000;

export function createDeliveryWorker(deps: DeliveryDeps): Worker {
  const { log, now } = deps;
  const queues = new Map<string, DestinationQueue>();
  const onError = (err: unknown) => log.warn({ err }, 'due deliveries could not be read');
  const worker = createWorker({ look, everyMs: lookMs, finishWithinMs: longestStopMs, longestStopMs, onError });
  const countWaiting = () => [...queues.values()].reduce((sum, each) => sum + each.countWaiting(), 0);

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<void> {
    for (const { id, workspace_id: workspaceId } of await deps.asSystem((db) => listDestinationsWithWork(db, now()))) {
      const queue = queues.get(id);
      if (queue) queue.wake();
      else if (!stopped.aborted && countWaiting() < mostAtOnce) tasks.begin([id], () => send(id, workspaceId, stopped));
    }
  }

  /** Sends what is due at a destination. Then nothing is, and no other look is needed before its time. */
  async function send(id: string, workspaceId: string, stopped: AbortSignal): Promise<false> {
    const queue = startDestinationQueue(deps, { id, workspaceId, getRoom: createRoom(stopped) });
    queues.set(id, queue);
    await queue.done;
    queues.delete(id);
    return false;
  }

  /** When all slots are used, a destination releases those of finished deliveries, and others are looked for. */
  function createRoom(stopped: AbortSignal) {
    return (sending: number, ended: number): number => {
      const free = stopped.aborted ? 0 : mostAtOnce - countWaiting();
      if (free <= 0 && ended > 0) worker.wake();
      return Math.max(0, Math.min(atOnce - sending, free));
    };
  }

  return worker;
}
