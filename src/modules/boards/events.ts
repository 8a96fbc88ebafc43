import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** A board was created, changed or deleted. `row_ids` are the appended rows. `by_automations` as in `page.ingested`. */
export const boardChanged = defineEvent(
  'board.changed',
  'boards:read',
  z.object({
    board_id: z.uuid(),
    brain_id: z.uuid(),
    dataset: z.string().nullable(),
    row_ids: z.array(z.uuid()),
    by_automations: z.array(z.uuid()),
  }),
);
