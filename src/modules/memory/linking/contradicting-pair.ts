// The two memories of a contradiction, for the operations that dismiss one or undo that.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Contradiction } from '../rules/contradiction.ts';
import { contradictionKinds } from '../rules/contradiction.ts';
import { memoryId } from '../ids.ts';
import { findConflictsBetween } from '../store/contradictions.ts';

/** Agents do not see what is dismissed, so an agent may not dismiss. */
export const forAllAgents = 'knowledge:write' as const;

export const contradictingPair = {
  memory_id: memoryId,
  conflicts_with: memoryId,
  with_kind: z
    .boolean()
    .default(false)
    .describe('True: also all others of its kind in this brain, including future ones. See list_contradictions.'),
};

export const contradictingPairOutput = z.object({
  memory_id: z.uuid(),
  conflicts_with: z.uuid(),
  kind: z.enum(contradictionKinds).nullable().describe('The kind that is dismissed, too; null: only this pair.'),
});

type Pair = { readonly memory_id: string; readonly conflicts_with: string; readonly with_kind: boolean };

/** The brain of a contradiction, and its kind if that is requested. Throws `conflict`. */
export async function findContradictingPair(
  ctx: Context,
  { memory_id, conflicts_with, with_kind }: Pair,
): Promise<{ brainId: string; kind: Contradiction['kind'] | null }> {
  const found = await findConflictsBetween(ctx.db, memory_id, conflicts_with);
  const [first] = found;
  if (!first) throw new AppError('conflict', 'These two do not contradict each other; see list_contradictions.');
  if (!with_kind) return { brainId: first.brain_id, kind: null };
  const detected = found.find(({ kind }) => kind !== null);
  if (detected?.kind) return { brainId: detected.brain_id, kind: detected.kind };
  throw new AppError(
    'conflict',
    'A caller stated this contradiction, so it has no kind. Leave with_kind out to mean this pair only.',
  );
}
