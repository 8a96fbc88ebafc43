import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A person was invited, joined, left or has another role. */
export const peopleChanged = defineEvent('people.changed', 'brains:read', z.object({ person_id: z.uuid().nullable() }));

/** A key was used from a new network. */
export const keyUsedElsewhere = defineEvent(
  'key.used_elsewhere',
  'keys:read',
  z.object({ key_id: z.uuid(), label: z.string(), place: z.string() }),
);
