import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** New, changed or deleted pages. `source` is null for pages that were not read from outside. */
export const pageIngested = defineEvent(
  'page.ingested',
  'pages:read',
  z.object({ page_ids: z.array(z.uuid()), brain_id: z.uuid(), source: z.string().nullable() }),
);
