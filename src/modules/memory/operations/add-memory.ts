import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import type { Search } from '#platform/search';
import { z } from 'zod';
import { memoryStored } from '../events.ts';
import { sessionId } from '../ids.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { newMemory } from '../new-memory.ts';
import { relatedMemories } from '../related.ts';
import { checkRouting, routingCheck } from '../routing.ts';
import { insertLinks, insertMemories } from '../store.ts';

export function addMemory(search: Search) {
  return defineOperation({
    name: 'add_memory',
    summary: 'Store one thing worth remembering: a decision, constraint, fact, preference or observation.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'editor', of: 'target_brain_id' } },
    rest: [{ method: 'POST', path: '/v1/memory/add' }],
    input: z.strictObject({
      ...memoryFields,
      target_brain_id: brainId.optional().describe('Default: your home brain.'),
      session_id: sessionId.optional(),
    }),
    output: z.object({
      id: z.uuid(),
      type: z.enum(memoryTypes),
      salience: z.enum(saliences),
      topics: z.array(z.string()),
      auto_linked_to: z.array(z.uuid()),
      message: z.string(),
      routing_check: routingCheck,
    }),
    errors: ['not_found', 'forbidden'],
    examples: [
      {
        title: 'A decision, with a trigger that brings it up again',
        input: {
          content: 'We chose Postgres over Neo4j because graph sizes per brain are small',
          type: 'decision',
          triggers: [
            { condition: 'working on graph storage', reason: 'The choice is made; measure before changing it' },
          ],
        },
      },
    ],
    async run(ctx, input) {
      const brainIdOrHome = input.target_brain_id ?? (await ctx.brains()).homeBrainId;
      const memory = newMemory(ctx, brainIdOrHome, input, input.session_id ?? null);
      const related = await relatedMemories(search, memory);
      await insertMemories(ctx.db, [memory]);
      const { workspaceId } = ctx.caller;
      await insertLinks(
        ctx.db,
        related.map((to) => ({ workspaceId, from: memory.id, to, type: 'relates_to', at: ctx.now })),
      );
      await ctx.emit(memoryStored({ ids: [memory.id], brain_id: brainIdOrHome }, { brainId: brainIdOrHome }));
      const connects = related.length ? ` This connects to ${related.length} related memories.` : '';
      return {
        id: memory.id,
        type: memory.type,
        salience: memory.salience,
        topics: memory.topics,
        auto_linked_to: related,
        message: `Stored ${memory.salience} ${memory.type}.${connects}`,
        routing_check: await checkRouting(ctx, memory.content, brainIdOrHome),
      };
    },
  });
}
