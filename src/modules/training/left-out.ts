import { z } from 'zod';

/** What a dataset leaves out, in answers. */
export const leftOut = z
  .object({ in_conflict: z.number().int() })
  .describe('Memories that are in no dataset: in_conflict, since they contradict each other. See list_contradictions.');
