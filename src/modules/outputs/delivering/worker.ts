// Sends due deliveries, in any number of server processes. Each destination has its own queue.
import type { Background } from '#kernel/module';
import { createBackground } from '#platform/background';
import { listDestinationsWithWork } from '../store/deliveries.ts';
import type { DeliveryDeps } from './dependencies.ts';
import { startDestinationQueue, type DestinationQueue } from './destination-queue.ts';

const lookMs = 500;
/** The most concurrent deliveries to one destination, in each process. */
const atOnce = 4;
const mostAtOnce = 64;

export type DeliveryWorker = Background & { wake(): void };

export function createDeliveryWorker(deps: DeliveryDeps): DeliveryWorker {
  const { log, now } = deps;
  const queues = new Map<string, DestinationQueue>();
  let isStopping = false;
  const onError = (err: unknown) => log.warn({ err }, 'deliveries could not be looked for');
  const looking = createBackground(look, { everyMs: lookMs, onError });
  const countHeld = () => [...queues.values()].reduce((sum, each) => sum + each.countHeld(), 0);

  async function look(): Promise<number> {
    for (const destination of await deps.asSystem((db) => listDestinationsWithWork(db, now()))) {
      const queue = queues.get(destination.id);
      if (queue) queue.wake();
      else if (!isStopping && countHeld() < mostAtOnce) start(destination);
    }
    return lookMs;
  }

  function start({ id, workspace_id: workspaceId }: { id: string; workspace_id: string }): void {
    const queue = startDestinationQueue(deps, { id, workspaceId, getRoom });
    queues.set(id, queue);
    void queue.done.then(() => queues.delete(id));
  }

  /** When all places are taken, a destination gives up those of deliveries that ended, and others are looked for. */
  function getRoom(sending: number, ended: number): number {
    const free = isStopping ? 0 : mostAtOnce - countHeld();
    if (free <= 0 && ended > 0) looking.wake(0);
    return Math.max(0, Math.min(atOnce - sending, free));
  }

  return {
    wake: () => looking.wake(0),
    start: looking.start,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await looking.stop();
      await Promise.all([...queues.values()].map(({ done }) => done));
    },
  };
}
