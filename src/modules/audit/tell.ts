// Telling what happened: to listeners by the table of events, to subscribers by their jobs, in one transaction with what happened.
import type { EventKind, Tell } from '#kernel/event';
import type { Subscriber } from '#kernel/module';
import type { Jobs } from '#platform/jobs';
import { insertEvent } from './store.ts';

/** Makes the one way to tell events of the kinds that modules declare. `subscribersOf` answers whose job an event of a name brings. */
export function createTell(options: {
  jobs: Jobs;
  kinds: readonly EventKind[];
  subscribersOf: (name: string) => readonly Subscriber[];
}): Tell {
  const declared = new Set(options.kinds.map(({ kind }) => kind));
  return async (db, event, row) => {
    const { name, payload } = event;
    if (!declared.has(name)) throw new Error(`no module declares the event ${name}`);
    await insertEvent(db, { ...event, ...row });
    for (const subscriber of options.subscribersOf(name))
      await options.jobs.enqueue(db, subscriber.name, { workspaceId: row.workspaceId, name, payload });
  };
}
