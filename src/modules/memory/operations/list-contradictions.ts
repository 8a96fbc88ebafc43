import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { conflict, listPresentedConflicts } from '../linking/conflicts.ts';
import { contradictionKinds } from '../rules/contradiction.ts';
import { listDismissedKinds } from '../store/contradictions.ts';

const dismissedKind = z.object({
  brain_id: z.uuid(),
  kind: z.enum(contradictionKinds),
  dismissed_at: z.iso.datetime(),
  dismissed_by: z.string().describe('The key or person.'),
});

export const listContradictions = defineOperation({
  name: 'list_contradictions',
  summary: 'List active memories that contradict each other, until one is archived or the pair is dismissed.',
  toolset: 'curation',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/memory/contradictions' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Default: every brain you may read.'),
    is_dismissed: z.boolean().default(false).describe('True: only dismissed ones, alone or with their kind.'),
    limit: z.number().int().min(1).max(100).default(20),
    offset: z.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({
    contradictions: z.array(conflict),
    dismissed_kinds: z.array(dismissedKind).describe('The kinds that are dismissed in a brain.'),
    has_more: z.boolean(),
  }),
  errors: ['not_found'],
  examples: [{ title: 'What contradicts each other', input: {} }],
  async run(ctx, { brain_id, is_dismissed, limit, offset }) {
    const brainIds = await listReadableBrainIds(ctx, brain_id);
    const found = await listPresentedConflicts(ctx.db, brainIds, {
      limit: limit + 1,
      offset,
      isDismissed: is_dismissed,
    });
    const kinds = await listDismissedKinds(ctx.db, brainIds);
    return {
      contradictions: found.slice(0, limit),
      dismissed_kinds: kinds.map(({ dismissed_at, dismissed_by_label, ...kind }) => ({
        ...kind,
        dismissed_at: dismissed_at.toISOString(),
        dismissed_by: dismissed_by_label,
      })),
      has_more: found.length > limit,
    };
  },
});
