import type { Context } from '#kernel/context';
import { notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { pageId } from '../ids.ts';
import { attachment, frontmatter, origin } from '../page-fields.ts';
import { originOf } from '../present.ts';
import { findPageBySlug, findPages, listVersions, type Page } from '../store/read.ts';

const version = z.object({ version: z.number().int(), title: z.string(), stored_at: z.iso.datetime() });

export const getPage = defineOperation({
  name: 'get_page',
  summary: 'Read one page whole: its body, frontmatter, attachments and versions. Give its slug or its id.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'pages:read', brain: { role: 'viewer', of: 'id', whenAbsent: 'allow' } },
  // The first takes either; the second comes after /v1/pages/search, which is no slug.
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
        .describe('When brains share a slug: the one in your home brain.'),
      id: pageId.optional(),
    })
    .refine(({ slug, id }) => (slug === undefined) !== (id === undefined), 'give exactly one of slug and id'),
  output: z.object({
    id: z.uuid(),
    slug: z.string(),
    type: z.string(),
    title: z.string(),
    body: z.string(),
    frontmatter,
    attachments: z.array(attachment),
    origin,
    author: z.string().nullable(),
    source: z.string().nullable(),
    source_ref: z.string().nullable(),
    brain_id: z.uuid(),
    brain_name: z.string(),
    occurred_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    versions: z.array(version).describe('The one in force first.'),
  }),
  errors: ['not_found'],
  examples: [{ title: 'A mail thread', input: { id: exampleId('page') } }],
  async run(ctx, { slug, id }) {
    const page = id ? (await findPages(ctx.db, [id]))[0] : await findBySlug(ctx, slug ?? '');
    if (!page) throw notFound('page');
    const earlier = await listVersions(ctx.db, page.id);
    const current = { version: page.version, title: page.title, created_at: page.updated_at };
    return {
      id: page.id,
      slug: page.slug,
      type: page.type,
      title: page.title,
      body: page.body,
      frontmatter: page.frontmatter,
      attachments: page.attachments,
      origin: originOf(page),
      author: page.author,
      source: page.source,
      source_ref: page.source_ref,
      brain_id: page.brain_id,
      brain_name: page.brain_name,
      occurred_at: page.occurred_at.toISOString(),
      created_at: page.created_at.toISOString(),
      updated_at: page.updated_at.toISOString(),
      versions: [current, ...earlier].map(({ created_at, ...each }) => ({
        ...each,
        stored_at: created_at.toISOString(),
      })),
    };
  },
});

async function findBySlug(ctx: Context, slug: string): Promise<Page | undefined> {
  const { roles, homeBrainId } = await ctx.brains();
  return findPageBySlug(ctx.db, slug, { brainIds: [...roles.keys()], preferred: homeBrainId });
}
