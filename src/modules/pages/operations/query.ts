import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { brainId, readableBrains } from '#modules/brains';
import { searchingWithMeaning } from '#modules/meaning';
import type { MeaningOf } from '#platform/embeddings';
import type { Analyse, Search, SearchQuery } from '#platform/search';
import { z } from 'zod';
import { frontmatter, integrationAction, notice, pageSummary, pageType, pagination } from '../page-fields.ts';
import { presentAction, presentPage } from '../present.ts';
import { countAttachments } from '../store/attachments.ts';
import { findPages, listPages, type Page } from '../store/read.ts';
import { readTypeName } from '../type-names.ts';
import { actionType, discovered, type DiscoverActions } from '../discovered.ts';
import { conditionsOf, meets, where, type Where } from '../where.ts';

/** The number of best hits that are checked when `where` narrows a search. */
const mostHits = 2_000;

const row = pageSummary.extend({
  score: z.number().nullable().describe('Null without q.'),
  frontmatter,
  ...integrationAction.partial().shape,
});

type Asked = { q?: string; type?: string; where?: Where; limit: number; offset: number };
type Found = {
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
  meaningOf: MeaningOf | null;
  analyse: Analyse;
  discover: DiscoverActions;
}) {
  const { search, meaningOf, analyse, discover } = options;
  const find = (ctx: Context, brainIds: string[], asked: Asked & Meant): Promise<Found> => {
    if (asked.type === actionType) return actions(ctx, discover, asked, analyse);
    return asked.q === undefined ? newest(ctx, brainIds, asked) : ranked(ctx, search, brainIds, asked);
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
    ...searchingWithMeaning(meaningOf, async (ctx, { brain_id, ...asked }: Input, meant) => {
      const brainIds = await readableBrains(ctx, brain_id);
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

/** Actions are never stored: what there is follows from the linked accounts. */
async function actions(
  ctx: Context,
  discover: DiscoverActions,
  { q, where: wanted = {}, limit, offset }: Asked,
  analyse: Analyse,
): Promise<Found> {
  const all = await discovered(ctx, discover, q, analyse);
  const fitting = all.filter(({ page }) => meets(page.frontmatter, wanted));
  return { rows: fitting.slice(offset, offset + limit), total: fitting.length };
}

async function newest(
  ctx: Context,
  brainIds: string[],
  { type, where: wanted = {}, limit, offset }: Asked,
): Promise<Found> {
  const { types, conditions = [] } = type ? readTypeName(type) : {};
  const filter = { brainIds, conditions: [...conditionsOf(wanted), ...conditions], ...(types && { types }) };
  const { pages, total } = await listPages(ctx.db, filter, { limit, offset, sort: 'updated', now: ctx.now });
  return { rows: pages.map((page) => ({ page, score: null, terms: [] })), total };
}

type Meant = Pick<SearchQuery, 'meaning'>;

/** Conditions are checked on the hits of the search, in its order. */
async function ranked(ctx: Context, search: Search, brainIds: string[], asked: Asked & Meant): Promise<Found> {
  const { q = '', type, where: wanted = {}, limit, offset, meaning } = asked;
  const { types, conditions: ofType = [] } = type ? readTypeName(type) : {};
  const conditions = [...conditionsOf(wanted), ...ofType];
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
