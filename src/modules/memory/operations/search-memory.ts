import { isInBrowser } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { withMeaning } from '#modules/meaning';
import type { FindMeaning } from '#platform/embeddings';
import type { Search, SearchHit } from '#platform/search';
import { z } from 'zod';
import { mergeHits, type FindDocuments } from '../recalling/merge-hits.ts';
import { limitToBudget } from '../recalling/budget.ts';
import { presentHits } from '../recalling/hits.ts';
import { sessionId } from '../ids.ts';
import {
  constellationType,
  documentSource,
  hitTypes,
  linkTypes,
  memoryOutput,
  saliences,
  sourceFilter,
  trigger,
} from '../memory-fields.ts';
import type { RecallRecord } from '../recalling/recall-record.ts';
import { listLinks } from '../store/links.ts';
import { findMemories } from '../store/memories.ts';
import { parseTimeStart, parseTimeEnd, time } from '../recalling/time-field.ts';
import { findFiringTriggers, presentFiring } from '../recalling/triggered.ts';

const mostFiring = 30;
const mostTriggered = 5;

const input = z.strictObject({
  q: z.string().trim().min(1).max(2_000).describe('Words, "exact phrases", -words that must not occur.'),
  limit: z.number().int().min(1).max(20).default(10),
  offset: z.number().int().min(0).max(10_000).default(0),
  source: sourceFilter.optional(),
  brain_id: brainId.optional().describe('Search only this brain.'),
  type: z.enum(hitTypes).optional(),
  salience: z.enum(saliences).optional(),
  author: z.string().trim().min(1).max(200).optional().describe("Words of the author's name."),
  since: time.optional().describe('Occurred at or after this date, time, or phrase such as «last March».'),
  until: time.optional().describe('Occurred before the end of this time, day, month or year.'),
  max_tokens: z
    .number()
    .int()
    .min(100)
    .max(50_000)
    .optional()
    .describe('Approximate maximum length of all hits together.'),
  session_id: sessionId.optional().describe('From `load_brain`. The hits count as recalled in this session.'),
});

const hit = memoryOutput.extend({
  type: z.enum(hitTypes),
  relevance_score: z.number(),
  semantic_similarity: z
    .number()
    .nullable()
    .describe('Cosine similarity of the embeddings; null without an embedder, or if it is not embedded yet.'),
  why: z.object({
    terms: z.array(z.string()).describe('Words of the query that matched.'),
    fields: z
      .array(z.string())
      .describe('Where they matched. `thread`: in a neighbouring turn. `meaning`: by embeddings only.'),
    context: z.array(z.uuid()).describe('The neighbouring turns that matched.'),
    links: z
      .array(z.object({ memory_id: z.uuid(), relationship_type: z.enum(linkTypes) }))
      .describe('Other hits that it links to.'),
  }),
  fired: trigger.nullable().describe('Its trigger that matches the query.'),
  document_source: documentSource.optional(),
  truncated: z.boolean().optional().describe('True: only the beginning of its text can be searched.'),
});

const output = z.object({
  memories: z.array(hit),
  triggered_memories: z
    .array(memoryOutput.extend({ fired: trigger }))
    .describe('Memories that are not hits, but have a trigger that matches the query.'),
  graph_connections: z.array(
    z.object({ source_memory_id: z.uuid(), target_memory_id: z.uuid(), relationship_type: z.enum(linkTypes) }),
  ),
  confidence: z
    .number()
    .describe('0 to 1: the probability that the best hits hold an answer. Below 0.3 there is probably none.'),
  pagination: z.object({
    offset: z.number().int(),
    limit: z.number().int(),
    total_available: z.number().int(),
    has_more: z.boolean(),
    next_offset: z.number().int().nullable().describe('The offset of the next page. max_tokens may end a page early.'),
  }),
  notice: z.string().optional().describe('A note if the search could not use the whole query.'),
});

type SearchInput = z.output<typeof input>;

type Deps = { search: Search; meaningOf: FindMeaning | null; recalls: RecallRecord; findDocuments: FindDocuments };

export function searchMemory({ search, meaningOf, recalls, findDocuments }: Deps) {
  return defineOperation({
    name: 'search_memory',
    summary:
      'Find memories by their content, in every brain you may read. Use it before you answer from your own knowledge.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'GET', path: '/v1/memory/search' }],
    input,
    output,
    errors: ['not_found', 'invalid_input'],
    examples: [
      { title: 'What was decided about the database?', input: { q: 'database choice' } },
      { title: 'Recent decisions of one person', input: { q: 'launch', author: 'ada', since: 'last month' } },
    ],
    ...withMeaning(meaningOf, async (ctx, asked: SearchInput, meant) => {
      const { q, limit, offset } = asked;
      const brainIds = await listReadableBrainIds(ctx, asked.brain_id);
      const { workspaceId, personId } = ctx.caller;
      const where = { brainIds, ...parseTimeSpan(asked, ctx.now), ...meant };
      const query = { ...buildSearchQuery(asked), ...where, workspaceId, ownerId: personId };
      const documents = await findMatchingDocuments(findDocuments, ctx, asked, where);
      // The hits beside documents are known only when all hits before them are.
      const found = {
        ...nothing,
        ...(asked.type !== constellationType && (await search.find(withDocumentOffset(query, documents)))),
      };
      const firing = await findFiringTriggers(ctx, brainIds, q, mostFiring);
      const ids = found.hits.map(({ id }) => id);
      const [memories, connections] = await Promise.all([findMemories(ctx.db, ids), listLinks(ctx.db, ids, brainIds)]);
      const all = mergeHits(presentHits(memories, found.hits, { connections, firing }), documents, { offset, limit });
      const hits = limitToBudget(asked.max_tokens, all);
      const others = offset ? [] : [...firing].filter(([id]) => !ids.includes(id)).slice(0, mostTriggered);
      const triggered = await presentFiring(ctx, new Map(others));
      // A person who searches while typing recalls nothing yet.
      if (!isInBrowser(ctx.caller) || asked.session_id)
        recalls.note({
          workspaceId,
          sessionId: asked.session_id ?? null,
          memories: [...hits.filter(({ type }) => type !== constellationType), ...triggered],
        });
      const total = found.total + documents.total;
      const end = offset + (hits.length < all.length || documents.total ? hits.length : found.hits.length);
      const hasMore = end < total;
      return {
        memories: hits,
        triggered_memories: triggered,
        graph_connections: connections,
        confidence: Math.max(found.confidence, documents.confidence),
        pagination: {
          offset,
          limit,
          total_available: total,
          has_more: hasMore,
          next_offset: hasMore ? end : null,
        },
        ...(found.notice !== undefined && { notice: found.notice }),
      };
    }),
  });
}

const nothing = { hits: [] as SearchHit[], total: 0, confidence: 0, notice: undefined as string | undefined };

type FoundDocuments = Awaited<ReturnType<FindDocuments>>;

/** Documents have no author, salience or source, so they are searched unless the query filters by one of these. */
async function findMatchingDocuments(
  find: FindDocuments,
  ctx: Context,
  { q, limit, offset, source, type, salience, author }: SearchInput,
  where: Omit<Parameters<FindDocuments>[1], 'text'>,
): Promise<FoundDocuments> {
  const isOther = source ?? salience ?? author ?? (type === constellationType ? undefined : type);
  if (isOther !== undefined) return { hits: [], total: 0, confidence: 0 };
  return find(ctx, { text: q, ...where }, offset + limit);
}

/** Beside documents, memories are read from the first on, because any of them may come before or after a document. */
function withDocumentOffset<Query extends { offset: number; limit: number }>(
  query: Query,
  { total }: FoundDocuments,
): Query {
  return total ? { ...query, offset: 0, limit: query.offset + query.limit } : query;
}

function parseTimeSpan({ since, until }: Pick<SearchInput, 'since' | 'until'>, now: Date) {
  return {
    ...(since && { since: parseTimeStart('since', since, now) }),
    ...(until && { until: parseTimeEnd('until', until, now) }),
  };
}

function buildSearchQuery({ q, limit, offset, source, type, salience, author }: SearchInput) {
  return {
    text: q,
    kinds: ['memory' as const],
    ...(type && { types: [type] }),
    ...(salience && { saliences: [salience] }),
    ...(source && { source }),
    ...(author && { author }),
    limit,
    offset,
  };
}
