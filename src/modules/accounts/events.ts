import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A person was invited, joined, left or has another role. */
export const peopleChanged = defineEvent('people.changed', 'brains:read', z.object({ person_id: z.uuid().nullable() }));

/** A key is used from a network that it was not used from before. */
export const keyUsedElsewhere = defineEvent(
  'key.used_elsewhere',
  'keys:read',
  z.object({ key_id: z.uuid(), label: z.string(), place: z.string() }),
);
