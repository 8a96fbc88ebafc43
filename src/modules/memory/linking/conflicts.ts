import { z } from 'zod';
import { contradictionKinds } from '../rules/contradiction.ts';
import { linkOrigins, memoryOutput } from '../memory-fields.ts';
import { presentMemories } from '../recalling/present.ts';
import { listConflicts, type Conflict } from '../store/contradictions.ts';
import type { Db } from '../store/tables.ts';

export const conflict = z.object({
  memory: memoryOutput.describe('The memory that was stored or marked as conflicting.'),
  conflicts_with: memoryOutput,
  origin: z.enum(linkOrigins).describe('stated by a caller, or detected when the memory was stored.'),
  kind: z.enum(contradictionKinds).nullable().describe('How it was detected; null if a caller stated it.'),
  reason: z.string().nullable(),
  since: z.iso.datetime(),
});

/** Pairs of live memories of these brains that conflict, for answers; see `listConflicts`. */
export async function listPresentedConflicts(
  db: Db,
  brainIds: readonly string[],
  page: Parameters<typeof listConflicts>[2],
) {
  return presentConflicts(db, await listConflicts(db, brainIds, page));
}

async function presentConflicts(db: Db, conflicts: readonly Conflict[]): Promise<z.input<typeof conflict>[]> {
  const listEnds = (each: Conflict) => [each.source_memory_id, each.target_memory_id];
  const memories = await presentMemories(db, [...new Set(conflicts.flatMap(listEnds))]);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return conflicts.flatMap((each) => {
    const [memory, conflicts_with] = listEnds(each).map((id) => byId.get(id));
    if (!memory || !conflicts_with) return [];
    const { origin, kind, reason, created_at } = each;
    return [{ memory, conflicts_with, origin, kind, reason, since: created_at.toISOString() }];
  });
}
