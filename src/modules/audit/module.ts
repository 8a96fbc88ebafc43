import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { dropEventsBefore } from './store.ts';

/** How long after a disconnect a listener can continue where it was. */
const eventsKeptMs = 7 * 24 * 60 * 60 * 1000;

export const auditModule = defineModule<Ground>({
  name: 'audit',
  tidy: (db, at) => dropEventsBefore(db, new Date(at.getTime() - eventsKeptMs)),
});
