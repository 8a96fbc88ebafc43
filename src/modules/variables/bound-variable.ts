import { z } from 'zod';

/** A variable of a draft. Drafts from before versions were counted have only its id. */
export const boundVariable = z.strictObject({
  handle: z.string().max(40),
  variable_id: z.uuid(),
  version: z.number().int().optional(),
  name: z.string().max(200).optional(),
  set_by: z.string().max(400).optional(),
  set_by_kind: z.enum(['person', 'agent']).optional(),
  hosts: z.array(z.string().max(260)).max(200).optional(),
  /** Identifies this stored value of an agent without revealing it. */
  fingerprint: z.string().max(16).optional(),
});
export type BoundVariable = z.output<typeof boundVariable>;
