import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { listRequestedBrainIds, brainsInput, ownersOnly } from '../requested-brains.ts';
import { computeReadiness } from '../readiness.ts';
import { countPairs } from '../store.ts';

export const trainingStatus = defineOperation({
  name: 'training_status',
  summary: 'Show how much data there is for fine-tuning a model, and whether it is enough.',
  toolset: 'documents',
  effect: 'read',
  access: { ...ownersOnly, isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/training/status' }],
  input: z.strictObject(brainsInput),
  output: z.object({
    memories: z.object({
      used: z.number().int(),
      superseded: z.number().int().describe('Left out of every dataset except dpo.'),
      in_conflict: z.number().int().describe('Left out of every dataset, because they contradict each other.'),
    }),
    pairs: z.object({
      domain_sft: z.number().int(),
      behavioral_sft: z.number().int(),
      dpo: z.number().int(),
      embedding_triplets: z.number().int(),
      imported_sft: z.number().int(),
      imported_dpo: z.number().int(),
    }),
    self_sufficiency: z
      .number()
      .describe('0 to 1: the share of all pairs that come from this brain, not from an import.'),
    is_ready: z.boolean(),
    warnings: z.array(z.string()),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'Your home brain', input: {} }],
  run: async (ctx, asked) => computeReadiness(await countPairs(ctx.db, listRequestedBrainIds(ctx, asked))),
});
