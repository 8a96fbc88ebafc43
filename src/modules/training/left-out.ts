import { z } from 'zod';

/** What a dataset leaves out, as operations return it. */
export const leftOut = z
  .object({ in_conflict: z.number().int() })
  .describe(
    'Memories that no dataset includes: in_conflict, because they contradict each other. See list_contradictions.',
  );
