import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import {
  contradictingPair,
  contradictingPairOutput,
  findContradictingPair,
  forAllAgents,
} from '../contradicting-pair.ts';
import { reopenKind, reopenPair } from '../store/contradictions.ts';

export const undoContradictionDismissal = defineOperation({
  name: 'undo_contradiction_dismissal',
  summary: 'Undo dismiss_contradiction: the pair, or every contradiction of its kind, is reported again.',
  toolset: 'curation',
  effect: 'write',
  access: {
    scope: forAllAgents,
    brain: { role: 'editor', of: ['memory_id', 'conflicts_with'] },
    isForPeople: true,
  },
  rest: [{ method: 'POST', path: '/v1/memory/contradictions/undo-dismissal' }],
  input: z.strictObject(contradictingPair),
  output: contradictingPairOutput,
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'They contradict each other after all',
      input: { memory_id: createExampleId('dismissed_memory'), conflicts_with: createExampleId('contradicted_memory') },
    },
  ],
  async run(ctx, asked) {
    const { memory_id, conflicts_with } = asked;
    const { brainId, kind } = await findContradictingPair(ctx, asked);
    const isPairOpened = await reopenPair(ctx.db, memory_id, conflicts_with);
    const isKindOpened = kind !== null && (await reopenKind(ctx.db, brainId, kind));
    if (!isPairOpened && !isKindOpened)
      throw new AppError('conflict', 'This was not dismissed; see list_contradictions with is_dismissed=true.');
    return { memory_id, conflicts_with, kind };
  },
});
