import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { linkTypes } from '../memory-fields.ts';
import { reopenPair } from '../store/contradictions.ts';
import { insertLinks } from '../store/links.ts';

export const linkMemories = defineOperation({
  name: 'link_memories',
  summary: 'Link two memories. relates_to and supersedes links are also made automatically.',
  toolset: 'memory',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: 'source_memory_id' } },
  rest: [{ method: 'POST', path: '/v1/memory/link' }],
  input: z.strictObject({
    source_memory_id: memoryId,
    target_memory_id: memoryId,
    relationship_type: z.enum(linkTypes),
  }),
  output: z.object({
    source_memory_id: z.uuid(),
    target_memory_id: z.uuid(),
    relationship_type: z.enum(linkTypes),
    created: z.boolean().describe('False: this link existed before.'),
  }),
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [
    {
      title: 'One decision depends on another',
      input: {
        source_memory_id: createExampleId('memory'),
        target_memory_id: createExampleId('other_memory'),
        relationship_type: 'depends_on',
      },
    },
  ],
  async run(ctx, input) {
    const { workspaceId } = ctx.caller;
    const { source_memory_id: from, target_memory_id: to, relationship_type: type } = input;
    if (from === to) throw new AppError('invalid_input', 'target_memory_id: a memory cannot be linked to itself.');
    const link = { workspaceId, from, to, type, at: ctx.now, origin: 'stated' as const };
    if (type === 'conflicts_with') await reopenPair(ctx.db, from, to);
    return { ...input, created: (await insertLinks(ctx.db, [link])).length === 1 };
  },
});
