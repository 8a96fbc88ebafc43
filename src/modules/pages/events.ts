import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/**
 * New, changed or deleted pages. `source` is null for pages that were not read from outside. `by_automations`: the
 * automations whose runs led to it, the writing one last.
 */
export const pageIngested = defineEvent(
  'page.ingested',
  'pages:read',
  z.object({
    page_ids: z.array(z.uuid()),
    brain_id: z.uuid(),
    source: z.string().nullable(),
    by_automations: z.array(z.uuid()),
  }),
);
