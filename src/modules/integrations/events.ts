import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A sync was set up, has come further, ended a reading, or was taken away. */
export const syncChanged = defineEvent(
  'sync.changed',
  'integrations:read',
  z.object({ sync_id: z.uuid(), status: z.string() }),
);
