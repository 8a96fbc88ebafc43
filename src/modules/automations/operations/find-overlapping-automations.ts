import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { MeteredEmbedders } from '#modules/usage';
import { z } from 'zod';
import { states } from '../fields.ts';
import { compareIntents } from '../compare-intents.ts';
import { findOverlaps } from '../overlaps.ts';
import { triggerKinds } from '../triggers.ts';

export function findOverlappingAutomations({ embedder }: { embedder: MeteredEmbedders | null }) {
  return defineOperation({
    name: 'find_overlapping_automations',
    summary:
      'Find automations that write to the same boards, before you create another one: extend one, or accept the overlap.',
    toolset: 'automations',
    effect: 'read',
    access: { scope: 'automations:read', isForPeople: true },
    input: z.strictObject({
      writes_to_boards: z.array(z.uuid()).min(1).max(50),
      dedupe_target_field: z.string().max(100).optional(),
      dedupe_key_field: z.string().max(100).optional().describe('The field that identifies duplicate rows.'),
      trigger_kind: z.enum(triggerKinds).optional(),
      intent: z.string().max(2_000).optional().describe('The purpose of the new automation, for comparison.'),
    }),
    output: z.object({
      count: z.number(),
      strict_count: z.number(),
      matches: z.array(
        z.object({
          automation_id: z.uuid(),
          owner_email: z.string(),
          is_self: z.boolean(),
          name: z.string(),
          description: z.string(),
          state: z.enum(states),
          last_run_at: z.iso.datetime().nullable(),
          writes_to_boards: z.array(z.uuid()),
          dedupe_target_field: z.string().nullable(),
          dedupe_key_field: z.string().nullable(),
          trigger_kinds: z.array(z.enum(triggerKinds)),
          trigger_types: z.array(z.enum(triggerKinds)),
          strict_overlap: z.boolean(),
          intent_similarity: z
            .number()
            .nullable()
            .describe('Cosine similarity to intent, -1 to 1; null without an embedder or without intent.'),
        }),
      ),
      notice: z.string().optional().describe('A note if the intents could not be compared.'),
    }),
    errors: [],
    examples: [{ title: 'Who else writes there?', input: { writes_to_boards: [createExampleId('any_board')] } }],
    run: (ctx, { intent: _intent, ...sought }) => findOverlaps(ctx, sought),
    async afterCommit(ctx, overlaps, { intent }) {
      const purposes = overlaps.map(({ purpose }) => purpose);
      const { similarities, notice } = await compareIntents(embedder && embedder.for(ctx), intent, purposes);
      const matches = overlaps.map(({ purpose: _purpose, ...match }, at) => ({
        ...match,
        intent_similarity: similarities?.[at] ?? null,
      }));
      return {
        count: matches.length,
        strict_count: matches.filter(({ strict_overlap }) => strict_overlap).length,
        matches,
        ...(notice !== undefined && { notice }),
      };
    },
  });
}
