import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import type { AnalyseText } from '#platform/search';
import { z } from 'zod';
import { readPeriod } from '../clock-time.ts';
import { pageSource, pageSummary, pageType, period } from '../page-fields.ts';
import { presentPage } from '../present.ts';
import { countAttachments } from '../store/attachments.ts';
import { listPages as findPage } from '../store/read.ts';
import { readTypeName } from '../type-names.ts';

export function listPages(analyse: AnalyseText) {
  return defineOperation({
    name: 'list_pages',
    summary: 'List pages, newest first, such as recent mails and messages. Use `search` to find a certain one.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/pages' }],
    input: z.strictObject({
      type: pageType.optional(),
      source: pageSource.optional(),
      brain_id: brainId.optional().describe('Default: every brain you may read.'),
      ...period,
      sort: z
        .enum(['latest', 'soonest', 'updated', 'occurred'])
        .default('latest')
        .describe(
          'latest: past pages newest first, then future pages soonest first. soonest: by time, earliest first. updated: by last sync or change. occurred: by time, latest first.',
        ),
      limit: z.number().int().min(1).max(200).default(50),
      offset: z.number().int().min(0).max(1_000_000).default(0),
    }),
    output: z.object({ pages: z.array(pageSummary), total: z.number().int() }),
    errors: ['not_found'],
    examples: [{ title: 'The newest mails', input: { type: 'email', limit: 10 } }],
    async run(ctx, { type, source, brain_id, since, until, sort, limit, offset }) {
      const brainIds = await listReadableBrainIds(ctx, brain_id);
      const period = readPeriod({ since, until });
      const filter = { brainIds, ...(type && readTypeName(type)), ...(source && { source }), period };
      const { pages, total } = await findPage(ctx.db, filter, { limit, offset, sort, now: ctx.now });
      const counts = await countAttachments(
        ctx.db,
        pages.map(({ id }) => id),
      );
      return { pages: pages.map((page) => presentPage(page, counts.get(page.id) ?? 0, [], analyse)), total };
    },
  });
}
