import { AppError } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { memoryMoved } from '../events.ts';
import { memoryId } from '../ids.ts';
import { forgetGathering } from '../store/constellations.ts';
import { lockMemories } from '../store/changes.ts';
import { linksAt } from '../store/links.ts';
import { move } from '../store/memories.ts';
import { replaceTriggerWords } from '../store/triggers.ts';

export const moveMemory = defineOperation({
  name: 'move_memory',
  summary: 'Put a memory into another brain, with its links; whoever may read that brain finds it from then on.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['memory_id', 'target_brain_id'] } },
  rest: [{ method: 'POST', path: '/v1/memory/move' }],
  input: z.strictObject({ memory_id: memoryId, target_brain_id: brainId }),
  output: z.object({
    id: z.uuid(),
    brain_id: z.uuid(),
    links_kept: z.number().int().describe('Links are shown to those who may read both ends.'),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'It belongs to a team',
      input: { memory_id: exampleId('memory'), target_brain_id: exampleId('brain') },
    },
  ],
  async run(ctx, { memory_id, target_brain_id }) {
    const [memory] = await lockMemories(ctx.db, [memory_id]);
    if (!memory || memory.archived_at) throw new AppError('conflict', 'This memory is archived. Restore it first.');
    const links = await linksAt(ctx.db, [memory_id]);
    const answer = { id: memory_id, brain_id: target_brain_id, links_kept: links.length };
    if (memory.brain_id === target_brain_id) return answer;
    await move(ctx.db, memory_id, target_brain_id);
    await forgetGathering(ctx.db, [memory.brain_id, target_brain_id]);
    await replaceTriggerWords(ctx.db, { ...memory, brain_id: target_brain_id });
    const told = { id: memory_id, brain_id: target_brain_id, from_brain_id: memory.brain_id };
    // Told in both brains: to the one that it is gone, to the other that it is there.
    await ctx.emit(memoryMoved(told, { brainId: memory.brain_id }));
    await ctx.emit(memoryMoved(told, { brainId: target_brain_id }));
    return answer;
  },
});
