import { defineOperation } from '#kernel/operation';
import { brainId, readableBrains } from '#modules/brains';
import type { Search } from '#platform/search';
import { z } from 'zod';
import { sessionId } from '../ids.ts';
import { linkTypes, memoryOutput, memoryTypes, trigger } from '../memory-fields.ts';
import { presentMemory } from '../present.ts';
import type { RecallRecord } from '../recall-record.ts';
import { listLinks } from '../store/links.ts';
import { findMemories } from '../store/memories.ts';
import { firedOf, firingTriggers, presentFiring } from '../triggered.ts';

const mostFiring = 30;
const mostTriggered = 5;

const hit = memoryOutput.extend({
  relevance_score: z.number(),
  semantic_similarity: z.number().nullable().describe('Null: no embedder is configured.'),
  why: z.object({ terms: z.array(z.string()), fields: z.array(z.string()) }),
  fired: trigger.nullable().describe('Its trigger that fits the query.'),
});

const input = z.strictObject({
  q: z.string().trim().min(1).max(2_000).describe('Words, "exact phrases", -words that must not occur.'),
  limit: z.number().int().min(1).max(20).default(10),
  offset: z.number().int().min(0).max(10_000).default(0),
  source: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('auto_ingested, human, or a source such as gmail or make:gmail.'),
  brain_id: brainId.optional().describe('Look in this brain alone.'),
  type: z.enum(memoryTypes).optional(),
  session_id: sessionId.optional().describe('From `load_brain`: what is found counts as recalled in it.'),
});

const output = z.object({
  memories: z.array(hit),
  triggered_memories: z
    .array(memoryOutput.extend({ fired: trigger }))
    .describe('Memories that are no hits, but asked to come up when something like the query does.'),
  graph_connections: z.array(
    z.object({ source_memory_id: z.uuid(), target_memory_id: z.uuid(), relationship_type: z.enum(linkTypes) }),
  ),
  confidence: z.number().describe('0 to 1: how much of what was asked the best hit answers.'),
  pagination: z.object({
    offset: z.number().int(),
    limit: z.number().int(),
    total_available: z.number().int(),
    has_more: z.boolean(),
  }),
});

export function searchMemory(search: Search, recalls: RecallRecord) {
  return defineOperation({
    name: 'search_memory',
    summary:
      'Find memories by what they say, over every brain you may read. Use it before answering from your own head.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'GET', path: '/v1/memory/search' }],
    input,
    output,
    errors: ['not_found'],
    examples: [{ title: 'What was decided about the database?', input: { q: 'database choice' } }],
    async run(ctx, { q, limit, offset, source, brain_id, type, session_id }) {
      const brainIds = await readableBrains(ctx, brain_id);
      const finding = search.find({
        workspaceId: ctx.caller.workspaceId,
        brainIds,
        text: q,
        kinds: ['memory'],
        ...(type && { types: [type] }),
        ...(source && { source }),
        limit,
        offset,
      });
      const [found, firing] = await Promise.all([finding, firingTriggers(ctx, brainIds, q, mostFiring)]);
      const byId = new Map(found.hits.map((each) => [each.id, each]));
      const memories = await findMemories(ctx.db, [...byId.keys()]);
      const others = offset ? [] : [...firing].filter(([id]) => !byId.has(id)).slice(0, mostTriggered);
      const triggered = await presentFiring(ctx, new Map(others));
      const given = [...memories, ...triggered];
      recalls.note({ workspaceId: ctx.caller.workspaceId, sessionId: session_id ?? null, memories: given });
      return {
        memories: memories.map((memory) => {
          const { score = 0, why = { terms: [], fields: [] } } = byId.get(memory.id) ?? {};
          return {
            ...presentMemory(memory),
            relevance_score: score,
            semantic_similarity: null,
            why,
            fired: firedOf(memory, firing),
          };
        }),
        triggered_memories: triggered,
        graph_connections: await listLinks(
          ctx.db,
          memories.map((memory) => memory.id),
          brainIds,
        ),
        confidence: found.confidence,
        pagination: { offset, limit, total_available: found.total, has_more: offset + found.hits.length < found.total },
      };
    },
  });
}
