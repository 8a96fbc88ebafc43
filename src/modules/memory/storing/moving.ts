import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { memoryMoved } from '../events.ts';
import { lockMemories } from '../store/changes.ts';
import { forgetGathering } from '../store/constellations.ts';
import { listLinksAtMemories } from '../store/links.ts';
import { move } from '../store/memories.ts';
import { replaceTriggerWords } from '../store/triggers.ts';

/**
 * Moves a memory with its links into another brain. The caller's rights were checked before. Throws `conflict` for a
 * retired one.
 */
export async function moveTo(ctx: Context, id: string, brainId: string) {
  const [memory] = await lockMemories(ctx.db, [id]);
  if (!memory || memory.archived_at) throw new AppError('conflict', 'This memory is archived. Restore it first.');
  const links = await listLinksAtMemories(ctx.db, [id]);
  const answer = { id, brain_id: brainId, links_kept: links.length };
  if (memory.brain_id === brainId) return answer;
  await move(ctx.db, id, brainId);
  await forgetGathering(ctx.db, [memory.brain_id, brainId]);
  await replaceTriggerWords(ctx.db, { ...memory, brain_id: brainId });
  const payload = { id, brain_id: brainId, from_brain_id: memory.brain_id };
  // An event for both brains: the memory left one, and joined the other.
  await ctx.emit(memoryMoved(payload, { brainId: memory.brain_id }));
  await ctx.emit(memoryMoved(payload, { brainId }));
  return answer;
}
