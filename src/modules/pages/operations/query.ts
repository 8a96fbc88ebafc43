import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { withMeaning } from '#modules/meaning';
import type { FindMeaning } from '#platform/embeddings';
import type { AnalyseText, Search, SearchQuery } from '#platform/search';
import { z } from 'zod';
import { frontmatter, integrationAction, notice, pageSummary, pageType, pagination } from '../page-fields.ts';
import { presentAction, presentPage } from '../present.ts';
import { countAttachments } from '../store/attachments.ts';
import { findPages, listPages, type Page } from '../store/read.ts';
import { readTypeName } from '../type-names.ts';
import { actionType, searchDiscoveredActions, type DiscoverActions } from '../discover-actions.ts';
import { parseConditions, isMeetingConditions, where, type PageCondition } from '../where.ts';

/** The number of best hits that are checked when `where` narrows a search. */
const mostHits = 2_000;

const row = pageSummary.extend({
  score: z.number().nullable().describe('Null without q.'),
  frontmatter,
  ...integrationAction.partial().shape,
});

type PageQuery = { q?: string; type?: string; where?: PageCondition; limit: number; offset: number };
type QueryAnswer = {
  rows: { page: Page; score: number | null; terms: string[] }[];
  total: number;
  note?: string;
  notice?: string;
};

const input = z.strictObject({
  q: z.string().trim().min(1).max(2_000).optional().describe('Words to rank by. Without q, newest first.'),
  type: pageType.optional(),
  where: where.optional(),
  brain_id: brainId.optional().describe('Search only this brain.'),
  limit: z.number().int().min(1).max(100).default(20),
  offset: z.number().int().min(0).max(1_000_000).default(0),
});

type Input = z.output<typeof input>;

export function queryPages(options: {
  search: Search;
  meaningOf: FindMeaning | null;
  analyse: AnalyseText;
  discover: DiscoverActions;
}) {
  const { search, meaningOf, analyse, discover } = options;
  const find = (ctx: Context, brainIds: string[], asked: PageQuery & QueryMeaning): Promise<QueryAnswer> => {
    if (asked.type === actionType) return queryActions(ctx, discover, asked, analyse);
    return asked.q === undefined ? listNewestPages(ctx, brainIds, asked) : searchByRank(ctx, search, brainIds, asked);
  };
  return defineOperation({
    name: 'query',
    summary:
      'Find pages by their frontmatter (dates, senders, attendees, sizes), with or without words. The type integration_action lists the actions of linked accounts.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'POST', path: '/v1/pages/query' }],
    input,
    aliases: { text: 'q' },
    output: z.object({ pages: z.array(row), pagination, note: z.string().optional(), notice }),
    errors: ['not_found'],
    examples: [
      { title: 'Which actions does Gmail have?', input: { q: 'send a mail', type: 'integration_action' } },
      {
        title: 'Meetings of one week',
        input: { type: 'calendar_event', where: { start: { gt: '2026-06-01', lt: '2026-06-08' } } },
      },
    ],
    ...withMeaning(meaningOf, async (ctx, { brain_id, ...asked }: Input, meant) => {
      const brainIds = await listReadableBrainIds(ctx, brain_id);
      const found = await find(ctx, brainIds, { ...asked, ...meant });
      const { limit, offset } = asked;
      const counts = await countAttachments(
        ctx.db,
        found.rows.map(({ page }) => page.id),
      );
      return {
        pages: found.rows.map(({ page, score, terms }) => ({
          ...presentPage(page, counts.get(page.id) ?? 0, terms, analyse),
          score,
          frontmatter: page.frontmatter,
          ...presentAction(page),
        })),
        pagination: { offset, limit, total_available: found.total, has_more: offset + found.rows.length < found.total },
        ...(found.note && { note: found.note }),
        ...(found.notice !== undefined && { notice: found.notice }),
      };
    }),
  });
}

/** Actions are never stored: they are derived from the linked accounts. */
async function queryActions(
  ctx: Context,
  discover: DiscoverActions,
  { q, where: wanted = {}, limit, offset }: PageQuery,
  analyse: AnalyseText,
): Promise<QueryAnswer> {
  const all = await searchDiscoveredActions(ctx, discover, q, analyse);
  const fitting = all.filter(({ page }) => isMeetingConditions(page.frontmatter, wanted));
  return { rows: fitting.slice(offset, offset + limit), total: fitting.length };
}

async function listNewestPages(
  ctx: Context,
  brainIds: string[],
  { type, where: wanted = {}, limit, offset }: PageQuery,
): Promise<QueryAnswer> {
  const { types, conditions = [] } = type ? readTypeName(type) : {};
  const filter = { brainIds, conditions: [...parseConditions(wanted), ...conditions], ...(types && { types }) };
  const { pages, total } = await listPages(ctx.db, filter, { limit, offset, sort: 'updated', now: ctx.now });
  return { rows: pages.map((page) => ({ page, score: null, terms: [] })), total };
}

type QueryMeaning = Pick<SearchQuery, 'meaning'>;

/** Conditions are checked on the hits of the search, in its order. */
async function searchByRank(
  ctx: Context,
  search: Search,
  brainIds: string[],
  asked: PageQuery & QueryMeaning,
): Promise<QueryAnswer> {
  const { q = '', type, where: wanted = {}, limit, offset, meaning } = asked;
  const { types, conditions: ofType = [] } = type ? readTypeName(type) : {};
  const conditions = [...parseConditions(wanted), ...ofType];
  const found = await search.find({
    workspaceId: ctx.caller.workspaceId,
    brainIds,
    text: q,
    kinds: ['page'],
    ...(types && { types }),
    ...(conditions.length ? { limit: mostHits, offset: 0 } : { limit, offset }),
    ...(meaning && { meaning }),
  });
  const hits = new Map(found.hits.map((hit) => [hit.id, hit]));
  const pages = await findPages(ctx.db, [...hits.keys()], conditions);
  const rows = pages.map((page) => {
    const hit = hits.get(page.id);
    return { page, score: hit?.score ?? 0, terms: hit?.why.terms ?? [] };
  });
  const said = found.notice === undefined ? {} : { notice: found.notice };
  if (!conditions.length) return { rows, total: found.total, ...said };
  const isCut = found.total > mostHits;
  const note = `Only the ${mostHits} best matches of q were checked against where. Narrow q or type for complete results.`;
  return { rows: rows.slice(offset, offset + limit), total: rows.length, ...(isCut && { note }), ...said };
}
