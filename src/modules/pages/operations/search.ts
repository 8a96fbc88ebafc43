import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { withMeaning } from '#modules/meaning';
import type { FindMeaning } from '#platform/embeddings';
import type { AnalyseText, Search } from '#platform/search';
import { z } from 'zod';
import { findWordsInFiles } from '../find-words-in-files.ts';
import { readPeriod } from '../clock-time.ts';
import { extractPassage } from '../excerpt.ts';
import {
  foundIn,
  notice,
  pageSource,
  pageSummary,
  pageType,
  pagination,
  period,
  similarity,
  truncated,
} from '../page-fields.ts';
import { presentPage } from '../present.ts';
import { countAttachments } from '../store/attachments.ts';
import { findPages } from '../store/read.ts';
import { readTypeName } from '../type-names.ts';

/** How many of the best hits are checked when a type alone is not enough. */
const mostChecked = 500;

const input = z.strictObject({
  q: z.string().trim().min(1).max(2_000).describe('Words, "exact phrases", -words that must not occur.'),
  type: pageType.optional(),
  source: pageSource.optional(),
  brain_id: brainId.optional().describe('Search only this brain.'),
  ...period,
  limit: z.number().int().min(1).max(50).default(10),
  text_characters: z.number().int().min(1).max(4_000).optional().describe('Adds `text` of this length to each hit.'),
});

type SearchPagesInput = z.output<typeof input>;

const text = z.string().optional().describe('What stands around the match, with its lines.');
const hit = pageSummary.extend({
  score: z.number(),
  semantic_similarity: similarity,
  found_in: foundIn,
  truncated,
  text,
});

export function searchPages(search: Search, meaningOf: FindMeaning | null, analyse: AnalyseText) {
  return defineOperation({
    name: 'search',
    summary: 'Find pages (mails, calendar events, files) by their content, in every brain you may read.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/pages/search' }],
    input,
    aliases: { query: 'q', text: 'q' },
    output: z.object({ pages: z.array(hit), pagination, notice }),
    errors: ['not_found'],
    examples: [{ title: 'A mail about the budget', input: { q: 'quarterly budget', type: 'email' } }],
    ...withMeaning(
      meaningOf,
      async (ctx, { q, type, source, brain_id, limit, text_characters, ...period }: SearchPagesInput, asked) => {
        const { since: from, until: to } = readPeriod(period);
        const { types, conditions = [] } = type ? readTypeName(type) : {};
        const isNarrowed = conditions.length > 0;
        const found = await search.find({
          workspaceId: ctx.caller.workspaceId,
          brainIds: await listReadableBrainIds(ctx, brain_id),
          text: q,
          kinds: ['page'],
          ...(types && { types }),
          ...(source && { source }),
          ...(from && { since: from.moment }),
          ...(to && { until: to.moment }),
          clock: { ...(from && { since: from.clock }), ...(to && { until: to.clock }) },
          limit: isNarrowed ? mostChecked : limit,
          offset: 0,
          ...asked,
        });
        const hits = new Map(found.hits.map((hit) => [hit.id, hit]));
        const fitting = await findPages(ctx.db, [...hits.keys()], conditions);
        const pages = fitting.slice(0, limit);
        const total = isNarrowed ? fitting.length : found.total;
        const counts = await countAttachments(
          ctx.db,
          pages.map(({ id }) => id),
        );
        const terms = new Set(found.hits.flatMap((hit) => hit.why.terms));
        const inFiles = await findWordsInFiles(ctx.db, pages, [...terms], analyse);
        return {
          pages: pages.map((page) => {
            const [each, files] = [hits.get(page.id), inFiles.get(page.id)];
            const matched = each?.why.terms ?? [];
            const shown = presentPage(page, counts.get(page.id) ?? 0, matched, analyse);
            const text = text_characters && extractPassage(page.body, matched, analyse, text_characters);
            return { ...shown, ...presentHit(each), ...(files && { found_in: files }), ...(text && { text }) };
          }),
          pagination: { offset: 0, limit, total_available: total, has_more: pages.length < total },
          ...(found.notice !== undefined && { notice: found.notice }),
        };
      },
    ),
  });
}

type Hit = Awaited<ReturnType<Search['find']>>['hits'][number];

function presentHit(found: Hit | undefined) {
  return {
    score: found?.score ?? 0,
    semantic_similarity: found?.similarity ?? null,
    ...(found?.isTruncated && { truncated: true as const }),
  };
}
