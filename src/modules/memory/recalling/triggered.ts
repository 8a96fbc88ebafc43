// Memories whose trigger matches a context.
import type { Context } from '#kernel/context';
import type { Trigger } from '../memory-fields.ts';
import { presentMemory } from './present.ts';
import { findMemories } from '../store/memories.ts';
import { findTriggers } from '../store/triggers.ts';
import { listStems } from '../rules/topics.ts';
import { isAlternativeMet } from '../rules/trigger-words.ts';

/** Which trigger of which memory matches a text, newest memories first. */
export async function findFiringTriggers(
  ctx: Context,
  brainIds: readonly string[],
  text: string,
  limit: number,
): Promise<Map<string, number>> {
  const here = listStems(text);
  const firing = new Map<string, number>();
  for (const candidate of await findTriggers(ctx.db, brainIds, [...here])) {
    if (firing.size === limit) break;
    if (!firing.has(candidate.memory_id) && isAlternativeMet(candidate, here))
      firing.set(candidate.memory_id, candidate.position);
  }
  return firing;
}

/** The memories of matching triggers, each with its trigger. */
export async function presentFiring(ctx: Context, firing: ReadonlyMap<string, number>) {
  const memories = await findMemories(ctx.db, [...firing.keys()]);
  return memories.flatMap((memory) => {
    const fired = findFiredTrigger(memory, firing);
    return fired ? [{ ...presentMemory(memory), fired }] : [];
  });
}

/** The trigger of a memory that matched; null when none did. */
export function findFiredTrigger(
  memory: { id: string; triggers: readonly Trigger[] },
  firing: ReadonlyMap<string, number>,
): Trigger | null {
  const position = firing.get(memory.id);
  return position === undefined ? null : (memory.triggers[position] ?? null);
}
