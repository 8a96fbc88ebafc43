import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** Pages that are new, changed or gone. `source` is null for what was not read from outside. */
export const pageIngested = defineEvent(
  'page.ingested',
  'pages:read',
  z.object({ page_ids: z.array(z.uuid()), brain_id: z.uuid(), source: z.string().nullable() }),
);
