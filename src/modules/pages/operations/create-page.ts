import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { pageBody, pageFrontmatter, pageTitle, writtenPage } from '../page-fields.ts';
import { storePages } from '../store-pages.ts';

const type = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[a-z][a-z0-9_]*$/, 'lower-case letters, digits and _, such as meeting_note');

export const createPage = defineOperation({
  name: 'create_page',
  summary: 'Write a page into a brain, such as a report or meeting notes. Search finds it like every other page.',
  toolset: 'curation',
  effect: 'write',
  access: { scope: 'pages:write', brain: { role: 'editor', of: 'brain_id' } },
  rest: [{ method: 'POST', path: '/v1/pages' }],
  input: z.strictObject({
    title: pageTitle,
    body: pageBody,
    type: type.default('note'),
    brain_id: brainId.optional(),
    frontmatter: pageFrontmatter.default({}),
    occurred_at: z.iso.datetime({ offset: true }).optional().describe('When it happened. Default: now.'),
  }),
  output: writtenPage,
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [
    { title: 'Notes', input: { title: 'Planning of May', body: 'We ship on the 12th.', type: 'meeting_note' } },
  ],
  async run(ctx, { title, body, type: kind, brain_id, frontmatter, occurred_at }) {
    const page = {
      sourceRef: `written:${ctx.newId()}`,
      source: null,
      type: kind,
      title,
      body,
      frontmatter,
      author: ctx.caller.label,
      occurredAt: occurred_at ? new Date(occurred_at) : ctx.now,
    };
    const [stored] = await storePages(ctx, brain_id ?? ctx.caller.homeBrainId, [page]);
    if (!stored) throw new Error('a stored page has an id');
    return { id: stored.id, slug: stored.slug, changed: true };
  },
});
