import { defineOperation } from '#kernel/operation';
import { brainId, readBrainLanguage } from '#modules/brains';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { memoryStored } from '../events.ts';
import { enqueueLinking } from '../linking/link-later.ts';
import { findLanguageNotice } from '../storing/language-notice.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { buildMemories, storeMemories } from '../storing/new-memory.ts';

const longest = 32_000;

/**
 * Like for one memory, except that content that is too long is reported below by its position, so that the others can
 * be stored.
 */
const item = z.strictObject({
  ...memoryFields,
  content: z.string().trim().min(1).meta({ maxLength: longest, description: memoryFields.content.description }),
});

const input = z
  .strictObject({
    target_brain_id: brainId.optional().describe('Default: your home brain.'),
    memories: z.array(item).min(1).max(100),
    partial: z.boolean().default(false).describe('Store the rest if some are too long. `refused` lists the long ones.'),
  })
  .superRefine(({ memories, partial }, { addIssue }) => {
    const tooLong = listTooLongMemories(memories);
    // When none is left there is nothing to store.
    if (partial && tooLong.length < memories.length) return;
    for (const { index, message } of tooLong)
      addIssue({ code: 'custom', path: ['memories', index, 'content'], message });
  });

function listTooLongMemories(memories: readonly { content: string }[]): { index: number; message: string }[] {
  return memories.flatMap(({ content }, index) =>
    content.length > longest
      ? [{ index, message: `The content has ${content.length} characters; the maximum is ${longest}. Split it.` }]
      : [],
  );
}

const output = z.object({
  stored: z.number().int(),
  memories: z.array(
    z.object({
      id: z.uuid(),
      type: z.enum(memoryTypes),
      salience: z.enum(saliences),
      duplicate_of: z.uuid().nullable().describe('The duplicate, if any.'),
    }),
  ),
  duplicates: z.number().int().describe('Number of duplicates. All are stored.'),
  refused: z
    .array(z.object({ index: z.number().int(), message: z.string() }))
    .optional()
    .describe('With partial: the memories that were not stored, and why.'),
  notice: z.string().optional().describe('A note if English rules were applied to a brain in another language.'),
});

export function addMemoriesBulk(jobs: Jobs) {
  return defineOperation({
    name: 'add_memories_bulk',
    summary: 'Store up to 100 memories in one brain. The answer keeps their order.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'editor', of: 'target_brain_id' } },
    rest: [{ method: 'POST', path: '/v1/memory/add/bulk' }],
    maxBodyBytes: 4_000_000,
    maxAtOnce: 1,
    input,
    output,
    errors: ['not_found', 'forbidden', 'payload_too_large'],
    examples: [
      {
        title: 'Two facts',
        input: {
          memories: [
            { content: 'Email templates use Handlebars syntax', type: 'fact' },
            { content: "Never fabricate claims about a prospect's organization", salience: 'critical' },
          ],
        },
      },
    ],
    async run(ctx, asked) {
      const target = asked.target_brain_id ?? (await ctx.brains()).homeBrainId;
      const refused = listTooLongMemories(asked.memories);
      const stored = asked.memories.filter(({ content }) => content.length <= longest);
      const memories = await buildMemories(ctx, target, stored);
      const exact = await storeMemories(ctx, target, memories);
      const ids = memories.map((memory) => memory.id);
      await enqueueLinking(jobs, ctx.db, ctx.caller.workspaceId, ids, ctx.now);
      await ctx.emit(memoryStored({ ids, brain_id: target }, { brainId: target }));
      const notice = findLanguageNotice(await readBrainLanguage(ctx.db, target), stored);
      return {
        stored: memories.length,
        memories: memories.map(({ id, type, salience }) => ({
          id,
          type,
          salience,
          duplicate_of: exact.get(id) ?? null,
        })),
        duplicates: exact.size,
        ...(asked.partial && { refused }),
        ...(notice !== null && { notice }),
      };
    },
  });
}
