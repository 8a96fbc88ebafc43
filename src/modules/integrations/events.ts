import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A sync was created, made progress, finished a reading or was deleted. */
export const syncChanged = defineEvent(
  'sync.changed',
  'integrations:read',
  z.object({ sync_id: z.uuid(), status: z.string() }),
);
