import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { findLatestPage } from '#modules/pages';
import { z } from 'zod';

const digestPageType = 'overnight_digest';

export const getOvernightDigest = defineOperation({
  name: 'get_overnight_digest',
  summary:
    'Show the latest overnight digest: the newest page of the type overnight_digest. found is false if there is none.',
  toolset: 'ingest',
  effect: 'read',
  access: { scope: 'pages:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' }, isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/overnight-digest' }],
  input: z.strictObject({
    day: z.iso.date().max(10).optional().describe('Default: the latest.'),
    brain_id: brainId.optional().describe('Default: every brain you may read.'),
  }),
  output: z.object({
    found: z.boolean(),
    page_id: z.uuid().optional(),
    title: z.string().optional(),
    day: z.iso.date().optional(),
    body: z.string().optional(),
    lenses: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Its parts, such as tomorrow, thoughts, connections.'),
  }),
  errors: ['not_found'],
  examples: [{ title: 'The latest', input: {} }],
  async run(ctx, { day, brain_id }) {
    const page = await findLatestPage(ctx.db, await listReadableBrainIds(ctx, brain_id), { type: digestPageType, day });
    if (!page) return { found: false };
    const { lenses } = page.frontmatter;
    return {
      found: true,
      page_id: page.id,
      title: page.title,
      day: page.occurred_at.toISOString().slice(0, 10),
      body: page.body,
      ...(isRecord(lenses) && { lenses }),
    };
  },
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
