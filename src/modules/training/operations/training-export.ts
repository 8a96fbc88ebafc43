import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { listRequestedBrainIds, brainsInput, ownersOnly } from '../requested-brains.ts';
import { leftOut } from '../left-out.ts';
import { masks } from '../mask.ts';
import { exportTypes, platforms } from '../pair.ts';
import { computeReadiness } from '../readiness.ts';
import { countPairs } from '../store.ts';

export function createTrainingExport({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'training_export',
    summary: 'Compile training data of brains you own for a platform. The answer says where to download each file.',
    toolset: 'documents',
    effect: 'write',
    access: { ...ownersOnly, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/training/export' }],
    input: z.strictObject({
      platform: z
        .enum(platforms)
        .describe(
          'For SFT of axolotl, its config needs `field_messages: conversations` and `message_property_mappings: {role: from, content: value}`.',
        ),
      types: z.array(z.enum(exportTypes)).min(1).max(4),
      mask: z
        .enum(masks)
        .default('secrets')
        .describe('all: also mail addresses, phone numbers, card numbers and the like.'),
      ...brainsInput,
    }),
    output: z.object({
      platform: z.enum(platforms),
      files: z.array(z.object({ type: z.enum(exportTypes), dataset: z.string(), pairs: z.number().int(), url: uri() })),
      left_out: leftOut,
      warnings: z.array(z.string()),
    }),
    errors: ['not_found', 'forbidden'],
    examples: [{ title: 'For OpenAI', input: { platform: 'openai', types: ['domain_sft', 'dpo'] } }],
    async run(ctx, { platform, types, mask, ...asked }) {
      const brainIds = listRequestedBrainIds(ctx, asked);
      const { pairs, warnings, memories } = computeReadiness(await countPairs(ctx.db, brainIds));
      const query = new URLSearchParams({ platform, mask, brain_ids: brainIds.join(',') });
      const files = [...new Set(types)].map((type) => {
        const dataset = type === 'embedding' ? ('embedding_triplets' as const) : type;
        return { type, dataset, pairs: pairs[dataset], url: `${publicUrl}/v1/training/download/${dataset}?${query}` };
      });
      return { platform, files, left_out: { in_conflict: memories.in_conflict }, warnings };
    },
  });
}
