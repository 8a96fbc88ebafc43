import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { pageId } from '../ids.ts';
import { pageBody, pageFrontmatter, pageTitle, writtenPage } from '../page-fields.ts';
import { storePages } from '../store-pages.ts';
import { findPages } from '../store/read.ts';

export const updatePage = defineOperation({
  name: 'update_page',
  summary:
    'Change a page that was written here. Earlier versions are kept. A page of an integration is changed at its source.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'pages:write', brain: { role: 'editor', of: 'id' } },
  rest: [{ method: 'PATCH', path: '/v1/pages/{id}' }],
  input: z.strictObject({
    id: pageId,
    title: pageTitle.optional(),
    body: pageBody.optional(),
    frontmatter: pageFrontmatter.optional().describe('Replaces the whole body.'),
  }),
  output: writtenPage,
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    { title: 'The date changed', input: { id: createExampleId('written_page'), body: 'We ship on the 19th.' } },
  ],
  async run(ctx, { id, ...change }) {
    const [page] = await findPages(ctx.db, [id]);
    if (!page?.source_ref) throw createNotFoundError('page');
    if (page.source !== null)
      throw new AppError('conflict', `This page comes from ${page.source}. Change it there, or write a new page.`);
    const { source_ref: sourceRef, type, author, occurred_at: occurredAt } = page;
    const { title = page.title, body = page.body, frontmatter = page.frontmatter } = change;
    const [stored] = await storePages(ctx, page.brain_id, [
      { sourceRef, source: null, type, title, body, frontmatter, author, occurredAt },
    ]);
    if (!stored) throw new Error('a stored page has an id');
    return { id, slug: stored.slug, changed: stored.change !== 'none' };
  },
});
