import { defineOperation } from '#kernel/operation';
import { brainId, readableBrains } from '#modules/brains';
import { searchingWithMeaning } from '#modules/meaning';
import type { MeaningOf } from '#platform/embeddings';
import type { Search } from '#platform/search';
import { z } from 'zod';
import { linkTypes, memoryOutput, memoryTypes } from '../memory-fields.ts';
import { presentMemory } from '../present.ts';
import { findMemories, listLinks } from '../store.ts';

const hit = memoryOutput.extend({
  relevance_score: z.number(),
  semantic_similarity: z
    .number()
    .nullable()
    .describe('Cosine between what it and the query mean; null when no embedder is set, or it is not embedded yet.'),
  why: z.object({ terms: z.array(z.string()), fields: z.array(z.string()) }),
});

const output = z.object({
  memories: z.array(hit),
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
  notice: z.string().optional().describe('Said when not all was searched as asked.'),
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
});

type Asked = z.output<typeof input>;

export function searchMemory(search: Search, meaningOf: MeaningOf | null) {
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
    ...searchingWithMeaning(meaningOf, async (ctx, { q, limit, offset, source, brain_id, type }: Asked, asked) => {
      const brainIds = await readableBrains(ctx, brain_id);
      const found = await search.find({
        workspaceId: ctx.caller.workspaceId,
        brainIds,
        text: q,
        kinds: ['memory'],
        ...(type && { types: [type] }),
        ...(source && { source }),
        limit,
        offset,
        ...asked,
      });
      const byId = new Map(found.hits.map((each) => [each.id, each]));
      const memories = await findMemories(ctx.db, [...byId.keys()]);
      return {
        memories: memories.map((memory) => {
          const { score = 0, similarity = null, why = { terms: [], fields: [] } } = byId.get(memory.id) ?? {};
          return { ...presentMemory(memory), relevance_score: score, semantic_similarity: similarity, why };
        }),
        graph_connections: await listLinks(
          ctx.db,
          memories.map((memory) => memory.id),
          brainIds,
        ),
        confidence: found.confidence,
        pagination: { offset, limit, total_available: found.total, has_more: offset + found.hits.length < found.total },
        ...(found.notice !== undefined && { notice: found.notice }),
      };
    }),
  });
}
