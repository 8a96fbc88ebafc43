import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { pageId } from '../ids.ts';
import { attachmentFields, frontmatter, origin } from '../page-fields.ts';
import { getPageOrigin, presentAttachment } from '../present.ts';
import { findDiscoveredAction, type DiscoverActions } from '../discover-actions.ts';
import { listAttachments } from '../store/attachments.ts';
import { findPageBySlug, findPages, listVersions, type Page } from '../store/read.ts';

const version = z.object({ version: z.number().int(), title: z.string(), stored_at: z.iso.datetime() });

export function getPage({ publicUrl, discover }: { publicUrl: string; discover: DiscoverActions }) {
  return defineOperation({
    name: 'get_page',
    summary: 'Show a whole page: body, frontmatter, attachments and versions. Pass its slug or its id.',
    toolset: 'memory',
    effect: 'read',
    access: { scope: 'pages:read', brain: { role: 'viewer', of: 'id', whenAbsent: 'allow' } },
    // The first path accepts either; the second comes after /v1/pages/search, which is not a slug.
    rest: [
      { method: 'GET', path: '/v1/page' },
      { method: 'GET', path: '/v1/pages/{slug}' },
    ],
    input: z
      .strictObject({
        slug: z
          .string()
          .trim()
          .min(1)
          .max(300)
          .optional()
          .describe('The brain, if several brains have this slug. Default: your home brain.'),
        id: pageId.optional(),
      })
      .refine(({ slug, id }) => (slug === undefined) !== (id === undefined), 'pass exactly one of slug and id'),
    output: z.object({
      id: z.uuid(),
      slug: z.string(),
      type: z.string(),
      title: z.string(),
      body: z.string(),
      markdown: z.string().describe('The body, under the name that clients of other systems read.'),
      frontmatter,
      attachments: z.array(attachmentFields),
      origin,
      author: z.string().nullable(),
      source: z.string().nullable(),
      source_ref: z.string().nullable(),
      brain_id: z.uuid(),
      brain_name: z.string(),
      occurred_at: z.iso.datetime(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
      versions: z.array(version).describe('The current version first.'),
    }),
    errors: ['not_found'],
    examples: [{ title: 'A mail thread', input: { id: createExampleId('page') } }],
    async run(ctx, { slug, id }) {
      const page = id ? (await findPages(ctx.db, [id]))[0] : await findBySlug(ctx, slug ?? '', discover);
      if (!page) throw createNotFoundError('page');
      const earlier = await listVersions(ctx.db, page.id);
      const attachments = await listAttachments(ctx.db, page.id);
      return presentPageDocument(page, attachments, earlier, publicUrl);
    },
  });
}

function presentPageDocument(
  page: Page,
  attachments: Awaited<ReturnType<typeof listAttachments>>,
  earlier: Awaited<ReturnType<typeof listVersions>>,
  publicUrl: string,
) {
  const { id, slug, type, title, body, frontmatter: fields, author, source, source_ref, brain_id, brain_name } = page;
  const current = { version: page.version, title, created_at: page.updated_at };
  return {
    id,
    slug,
    type,
    title,
    body,
    markdown: body,
    frontmatter: fields,
    attachments: attachments.map((each) => presentAttachment(each, publicUrl)),
    origin: getPageOrigin(page),
    author,
    source,
    source_ref,
    brain_id,
    brain_name,
    occurred_at: page.occurred_at.toISOString(),
    created_at: page.created_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
    versions: [current, ...earlier].map(({ created_at, ...each }) => ({
      ...each,
      stored_at: created_at.toISOString(),
    })),
  };
}

async function findBySlug(ctx: Context, slug: string, discover: DiscoverActions): Promise<Page | undefined> {
  const { roles, homeBrainId } = await ctx.brains();
  const stored = await findPageBySlug(ctx.db, slug, { brainIds: [...roles.keys()], preferred: homeBrainId });
  return stored ?? findDiscoveredAction(ctx, discover, slug);
}
