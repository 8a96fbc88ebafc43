// Emits events: to listeners through the table of events, to subscribers through their jobs, in the transaction of the
// change.
import type { EmittedEvent, EventKind, EmitEvent } from '#kernel/event';
import type { Subscriber } from '#kernel/module';
import type { Jobs } from '#platform/jobs';
import { insertEvent } from './store.ts';

/** Makes the function that emits events of the declared kinds. `subscribersOf` returns the jobs for an event's name. */
export function createEmitEvent(options: {
  jobs: Jobs;
  kinds: readonly EventKind[];
  listSubscribers: (name: string) => readonly Subscriber[];
}): EmitEvent {
  const declared = new Set(options.kinds.map(({ kind }) => kind));
  return async (db, event, row) => {
    const { name } = event;
    if (!declared.has(name)) throw new Error(`no module declares the event ${name}`);
    const subscribers = options.listSubscribers(name);
    const conditions = subscribers.map(({ isWanted }) => isWanted ?? null);
    const wanted = await insertEvent(db, { ...event, ...row }, conditions);
    const emitted: EmittedEvent = { ...event, id: row.id, workspaceId: row.workspaceId };
    for (const [at, { name: job }] of subscribers.entries())
      if (wanted[at]) await options.jobs.enqueue(db, job, emitted);
  };
}
