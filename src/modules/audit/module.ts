import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { dropEventsBefore } from './store.ts';

/** So long a listener that was away can go on where it was. */
const eventsKeptMs = 7 * 24 * 60 * 60 * 1000;

export const auditModule = defineModule<Ground>({
  name: 'audit',
  tidy: (db, at) => dropEventsBefore(db, new Date(at.getTime() - eventsKeptMs)),
});
