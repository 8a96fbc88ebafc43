import type { Context } from '#kernel/context';
import type { Brain } from '#modules/brains';
import { findConflicts, linkOrigins, memoryOutput, presentMemories, type FoundConflict } from '#modules/memory';
import { z } from 'zod';

export const conflict = z.object({
  memory: memoryOutput.describe('The memory that was stored or marked as conflicting.'),
  conflicts_with: memoryOutput,
  origin: z.enum(linkOrigins).describe('stated by a caller, or detected when the memory was stored.'),
  reason: z.string().nullable(),
  since: z.iso.datetime(),
});

/** Pairs of live memories of these brains that conflict, the newest first; `between`: only those of different brains. */
export async function conflictsIn(
  ctx: Context,
  brains: readonly Brain[],
  options: { limit: number; between?: boolean },
) {
  const ids = brains.map(({ id }) => id);
  const found = await findConflicts(ctx.db, ids, options);
  const memories = await presentMemories(ctx.db, [...new Set(found.flatMap(endsOf))]);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return found.flatMap((each) => {
    const [memory, conflicts_with] = endsOf(each).map((id) => byId.get(id));
    if (!memory || !conflicts_with) return [];
    return [{ memory, conflicts_with, origin: each.origin, reason: each.reason, since: each.created_at.toISOString() }];
  });
}

function endsOf({ source_memory_id, target_memory_id }: FoundConflict): string[] {
  return [source_memory_id, target_memory_id];
}
