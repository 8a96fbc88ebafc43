import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import {
  contradictingPair,
  contradictingPairOutput,
  findContradictingPair,
  forAllAgents,
} from '../linking/contradicting-pair.ts';
import { dismissContradictions } from '../store/contradictions.ts';

export const dismissContradiction = defineOperation({
  name: 'dismiss_contradiction',
  summary: 'Mark two memories as both true, or all contradictions of a kind in a brain. They are not reported again.',
  toolset: 'curation',
  effect: 'write',
  access: {
    scope: forAllAgents,
    brain: { role: 'editor', of: ['memory_id', 'conflicts_with'] },
    isForPeople: true,
  },
  rest: [{ method: 'POST', path: '/v1/memory/contradictions/dismiss' }],
  input: z.strictObject(contradictingPair),
  output: contradictingPairOutput.extend({ dismissed_at: z.iso.datetime() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'Both are true',
      input: {
        memory_id: createExampleId('contradicting_memory'),
        conflicts_with: createExampleId('contradicted_memory'),
      },
    },
  ],
  async run(ctx, asked) {
    const { memory_id, conflicts_with } = asked;
    const { brainId, kind } = await findContradictingPair(ctx, asked);
    const { workspaceId, label } = ctx.caller;
    const by = { workspaceId, brainId, label, at: ctx.now };
    await dismissContradictions(ctx.db, { pair: [memory_id, conflicts_with] }, { ...by, id: ctx.newId() });
    if (kind) await dismissContradictions(ctx.db, { kind }, { ...by, id: ctx.newId() });
    return { memory_id, conflicts_with, kind, dismissed_at: ctx.now.toISOString() };
  },
});
