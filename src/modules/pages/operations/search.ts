import { defineOperation } from '#kernel/operation';
import { brainId, readableBrains } from '#modules/brains';
import type { Analyse, Search } from '#platform/search';
import { z } from 'zod';
import { pageSource, pageSummary, pageType, pagination } from '../page-fields.ts';
import { presentPage } from '../present.ts';
import { findPages } from '../store/read.ts';

export function searchPages(search: Search, analyse: Analyse) {
  return defineOperation({
    name: 'search',
    summary: 'Find pages (mails, calendar events, files) by what they say, over every brain you may read.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/pages/search' }],
    input: z.strictObject({
      q: z.string().trim().min(1).max(2_000).describe('Words, "exact phrases", -words that must not occur.'),
      type: pageType.optional(),
      source: pageSource.optional(),
      brain_id: brainId.optional().describe('Look in this brain alone.'),
      limit: z.number().int().min(1).max(50).default(10),
    }),
    output: z.object({ pages: z.array(pageSummary.extend({ score: z.number() })), pagination }),
    errors: ['not_found'],
    examples: [{ title: 'A mail about the budget', input: { q: 'quarterly budget', type: 'email' } }],
    async run(ctx, { q, type, source, brain_id, limit }) {
      const found = await search.find({
        workspaceId: ctx.caller.workspaceId,
        brainIds: await readableBrains(ctx, brain_id),
        text: q,
        kinds: ['page'],
        ...(type && { types: [type] }),
        ...(source && { source }),
        limit,
        offset: 0,
      });
      const hits = new Map(found.hits.map((hit) => [hit.id, hit]));
      const pages = await findPages(ctx.db, [...hits.keys()]);
      return {
        pages: pages.map((page) => {
          const { score = 0, why } = hits.get(page.id) ?? {};
          return { ...presentPage(page, why?.terms ?? [], analyse), score };
        }),
        pagination: { offset: 0, limit, total_available: found.total, has_more: found.hits.length < found.total },
      };
    },
  });
}
