import type { z } from 'zod';
import type { memoryOutput } from './memory-fields.ts';
import type { Memory } from './store/memories.ts';

/** A stored memory as answers show it. */
export function presentMemory(memory: Memory): z.input<typeof memoryOutput> {
  return {
    id: memory.id,
    content: memory.content,
    type: memory.type,
    salience: memory.salience,
    topics: memory.topics,
    triggers: memory.triggers,
    stored_by: memory.stored_by_label,
    brain_id: memory.brain_id,
    brain_name: memory.brain_name,
    source: memory.source,
    author: memory.author,
    thread_id: memory.thread_id,
    occurred_at: memory.occurred_at.toISOString(),
    created_at: memory.created_at.toISOString(),
  };
}
