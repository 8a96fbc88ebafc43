import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { contradictionKinds } from '../rules/contradiction.ts';
import {
  contradictingPair,
  contradictingPairOutput,
  findContradictingPair,
  forAllAgents,
} from '../linking/contradicting-pair.ts';
import { reopenKind, reopenPair } from '../store/contradictions.ts';

export const undoContradictionDismissal = defineOperation({
  name: 'undo_contradiction_dismissal',
  summary: 'Undo dismiss_contradiction: the pair, or every contradiction of its kind, is reported again.',
  toolset: 'curation',
  effect: 'write',
  access: {
    scope: forAllAgents,
    brain: { role: 'editor', of: ['memory_id', 'conflicts_with', 'brain_id'] },
    isForPeople: true,
  },
  rest: [{ method: 'POST', path: '/v1/memory/contradictions/undo-dismissal' }],
  input: z
    .strictObject({
      memory_id: contradictingPair.memory_id.optional(),
      conflicts_with: contradictingPair.conflicts_with.optional(),
      with_kind: contradictingPair.with_kind,
      brain_id: brainId.optional().describe('With kind, and without memories: the brain where a kind was dismissed.'),
      kind: z
        .enum(contradictionKinds)
        .optional()
        .describe('With brain_id. See dismissed_kinds of list_contradictions.'),
    })
    .refine(isPairOrKind, 'pass memory_id and conflicts_with, or brain_id and kind'),
  output: contradictingPairOutput.extend({
    memory_id: z.uuid().nullable().describe('Null if brain_id and kind were passed.'),
    conflicts_with: z.uuid().nullable(),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'They do contradict each other',
      input: { memory_id: createExampleId('dismissed_memory'), conflicts_with: createExampleId('contradicted_memory') },
    },
  ],
  async run(ctx, { memory_id, conflicts_with, with_kind, brain_id, kind }) {
    if (memory_id && conflicts_with) {
      const pair = { memory_id, conflicts_with, with_kind };
      const found = await findContradictingPair(ctx, pair);
      const isPairOpened = await reopenPair(ctx.db, memory_id, conflicts_with);
      const isKindOpened = found.kind !== null && (await reopenKind(ctx.db, found.brainId, found.kind));
      if (!isPairOpened && !isKindOpened) throw createNotDismissedError();
      return { memory_id, conflicts_with, kind: found.kind };
    }
    if (!brain_id || !kind || !(await reopenKind(ctx.db, brain_id, kind))) throw createNotDismissedError();
    return { memory_id: null, conflicts_with: null, kind };
  },
});

type PairOrKind = {
  readonly memory_id?: string | undefined;
  readonly conflicts_with?: string | undefined;
  readonly with_kind: boolean;
  readonly brain_id?: string | undefined;
  readonly kind?: string | undefined;
};

function isPairOrKind({ memory_id, conflicts_with, with_kind, brain_id, kind }: PairOrKind): boolean {
  const isPair = Boolean(memory_id && conflicts_with) && !brain_id && !kind;
  const isKind = Boolean(brain_id && kind) && !memory_id && !conflicts_with && !with_kind;
  return isPair || isKind;
}

function createNotDismissedError(): AppError {
  return new AppError('conflict', 'This was not dismissed; see list_contradictions with is_dismissed=true.');
}
