import { notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainUpdated } from '../events.ts';
import { brainId } from '../ids.ts';
import { holdBrain } from '../store/brains.ts';
import { deactivateSection, insertItem, visibilities } from '../store/core-knowledge.ts';

export const addCoreKnowledge = defineOperation({
  name: 'add_core_knowledge',
  summary: 'Say what always holds on a brain and below it; it takes the place of what its section held, which is kept.',
  toolset: 'brains',
  effect: 'write',
  access: { scope: 'brains:write', brain: { role: 'admin', of: 'brain_id' } },
  rest: [{ method: 'POST', path: '/v1/brains/{brain_id}/core-knowledge' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({
    brain_id: brainId,
    section: z.string().trim().min(1).max(120).describe('What it is about, such as writing_style; each has one item.'),
    content: z.string().trim().min(1).max(8_000),
    visibility: z.enum(visibilities).default('inherited').describe('inherited: holds on the brains below, too.'),
  }),
  output: z.object({
    id: z.uuid(),
    section: z.string(),
    version: z.number().int(),
    visibility: z.enum(visibilities),
    replaced: z.uuid().nullable().describe('The item that is out of force from now on.'),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [
    {
      title: 'A rule of style',
      input: {
        brain_id: exampleId('brain'),
        section: 'writing_style',
        content: 'Always write in third person limited. Never head-hop within a scene.',
      },
    },
  ],
  async run(ctx, { brain_id, section, content, visibility }) {
    const { caller, now: at } = ctx;
    const brain = await holdBrain(ctx.db, brain_id);
    if (!brain) throw notFound('brain');
    const replaced = await deactivateSection(ctx.db, { brainId: brain_id, section }, { label: caller.label, at });
    const id = ctx.newId();
    const version = await insertItem(ctx.db, {
      id,
      brain_id,
      section,
      content,
      visibility,
      workspace_id: caller.workspaceId,
      added_by: caller.personId,
      added_by_label: caller.label,
      created_at: at,
    });
    await ctx.emit(brainUpdated({ brain_id, name: brain.name }, { brainId: brain_id }));
    return { id, section, version, visibility, replaced: replaced ?? null };
  },
});
