import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { moveTo } from '../storing/moving.ts';

export const moveMemory = defineOperation({
  name: 'move_memory',
  summary: 'Move a memory to another brain, with its links. People who may read that brain can then find it.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['memory_id', 'target_brain_id'] } },
  rest: [{ method: 'POST', path: '/v1/memory/move' }],
  input: z.strictObject({ memory_id: memoryId, target_brain_id: brainId }),
  output: z.object({
    id: z.uuid(),
    brain_id: z.uuid(),
    links_kept: z.number().int().describe('Callers that may read both ends see the links.'),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'It belongs to a team',
      input: { memory_id: createExampleId('memory'), target_brain_id: createExampleId('brain') },
    },
  ],
  run: (ctx, { memory_id, target_brain_id }) => moveTo(ctx, memory_id, target_brain_id),
});
