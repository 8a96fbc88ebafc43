import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { linkTypes } from '../memory-fields.ts';
import { deleteLinks } from '../store/links.ts';

export const unlinkMemories = defineOperation({
  name: 'unlink_memories',
  summary: 'Remove a link between two memories. Without relationship_type, every link from one to the other.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: 'source_memory_id' } },
  rest: [{ method: 'POST', path: '/v1/memory/unlink' }],
  input: z.strictObject({
    source_memory_id: memoryId,
    target_memory_id: memoryId,
    relationship_type: z.enum(linkTypes).optional(),
  }),
  output: z.object({ removed: z.number().int().describe('0: there was no such link.') }),
  errors: ['not_found', 'forbidden'],
  examples: [
    {
      title: 'They are not related',
      input: { source_memory_id: createExampleId('memory'), target_memory_id: createExampleId('linked_memory') },
    },
  ],
  async run(ctx, { source_memory_id, target_memory_id, relationship_type }) {
    const types = relationship_type ? [relationship_type] : linkTypes;
    const links = types.map((type) => ({ source_memory_id, target_memory_id, relationship_type: type }));
    return { removed: await deleteLinks(ctx.db, links) };
  },
});
