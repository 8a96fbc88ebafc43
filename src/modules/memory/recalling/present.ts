import type { z } from 'zod';
import type { memoryOutput, MemoryType } from '../memory-fields.ts';
import { findMemories, listMemories, type Memory } from '../store/memories.ts';
import type { Db } from '../store/tables.ts';

/** A stored memory as operations return it. */
export function presentMemory(memory: Memory): z.input<typeof memoryOutput> {
  return {
    id: memory.id,
    content: memory.content,
    type: memory.type,
    salience: memory.salience,
    topics: memory.topics,
    triggers: memory.triggers,
    stored_by: memory.stored_by_label,
    stored_by_person: memory.person_name,
    brain_id: memory.brain_id,
    brain_name: memory.brain_name,
    source: memory.source,
    author: memory.author,
    thread_id: memory.thread_id,
    ...(memory.metadata && { metadata: memory.metadata }),
    occurred_at: memory.occurred_at.toISOString(),
    created_at: memory.created_at.toISOString(),
  };
}

/** Live memories with these ids, as operations return them, in the order of the ids. */
export async function presentMemories(db: Db, ids: readonly string[]): Promise<z.input<typeof memoryOutput>[]> {
  return (await findMemories(db, ids)).map(presentMemory);
}

/** Live memories of a type that were stored in brains since a time, newest first, as operations return them. */
export async function listByType(
  db: Db,
  { brainIds, since }: { brainIds: readonly string[]; since: Date },
  type: MemoryType,
  limit: number,
): Promise<z.input<typeof memoryOutput>[]> {
  return (await listMemories(db, { brainIds, type, since }, { limit, offset: 0 })).map(presentMemory);
}
