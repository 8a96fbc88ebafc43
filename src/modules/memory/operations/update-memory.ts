import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { memoryCorrected } from '../events.ts';
import { memoryId } from '../ids.ts';
import { enqueueLinking } from '../linking/link-later.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { lockMemories } from '../store/changes.ts';
import { forgetGathering } from '../store/constellations.ts';
import { reportExactDuplicates, withdrawReports } from '../store/duplicates.ts';
import { deleteInferredLinks } from '../store/links.ts';
import type { MemoryRow } from '../store/tables.ts';
import { readBrainLanguage } from '#modules/brains';
import { findLanguageNotice } from '../storing/language-notice.ts';
import { replaceTriggerWords } from '../store/triggers.ts';
import { correct } from '../store/versions.ts';
import { extractTopics } from '../rules/topics.ts';

const { content, type, salience, triggers } = memoryFields;

export function updateMemory(jobs: Jobs) {
  return defineOperation({
    name: 'update_memory',
    summary: 'Correct a memory: its text, type, salience or triggers. Earlier versions are kept.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'editor', of: 'id' } },
    rest: [{ method: 'PATCH', path: '/v1/memories/{id}' }],
    input: z.strictObject({
      id: memoryId,
      content: content.optional().describe('If the fact itself changed, store a new memory and archive this one.'),
      type: type.describe('Default: unchanged.'),
      salience: salience.describe('Default: unchanged.'),
      triggers: triggers.describe('Replaces all its triggers.'),
      reason: z.string().trim().min(1).max(2_000).optional(),
    }),
    output: z.object({
      id: z.uuid(),
      version: z.number().int().describe('The version number, from 1.'),
      type: z.enum(memoryTypes),
      salience: z.enum(saliences),
      topics: z.array(z.string()),
      notice: z.string().optional().describe('A note if English rules were applied to a brain in another language.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [
      { title: 'A typing error', input: { id: createExampleId('memory'), content: 'The harbour opens at six' } },
    ],
    async run(ctx, { id, reason, ...changes }) {
      if (!Object.values(changes).some((value) => value !== undefined)) {
        throw new AppError('invalid_input', 'Give at least one of content, type, salience and triggers.');
      }
      const [memory] = await lockMemories(ctx.db, [id]);
      if (!memory || memory.archived_at) {
        throw new AppError('conflict', 'This memory is archived. Restore it first, or store a new one.');
      }
      const corrected = {
        content: changes.content ?? memory.content,
        type: changes.type ?? memory.type,
        salience: changes.salience ?? memory.salience,
        topics: changes.content ? extractTopics(changes.content) : memory.topics,
        triggers: changes.triggers ?? memory.triggers,
      };
      const by = { personId: ctx.caller.personId, label: ctx.caller.label, at: ctx.now, reason: reason ?? null };
      const former = await correct(ctx.db, memory, corrected, by);
      if (changes.triggers) await replaceTriggerWords(ctx.db, { ...memory, triggers: corrected.triggers });
      const brainId = memory.brain_id;
      if (changes.content) await inferAnew(ctx, jobs, memory);
      await ctx.emit(memoryCorrected({ id, brain_id: brainId }, { brainId }));
      // An omitted field stays: it was not inferred.
      const notice = findLanguageNotice(await readBrainLanguage(ctx.db, brainId), [
        { ...corrected, triggers: changes.triggers },
      ]);
      const { type: kind, salience: weight, topics } = corrected;
      return { id, version: former + 1, type: kind, salience: weight, topics, ...(notice !== null && { notice }) };
    },
  });
}

/** Notices about the former words are removed, and created again for the new ones. */
async function inferAnew(ctx: Context, jobs: Jobs, { id, brain_id }: MemoryRow): Promise<void> {
  await withdrawReports(ctx.db, id);
  await deleteInferredLinks(ctx.db, id);
  await reportExactDuplicates(ctx.db, brain_id, [id]);
  await forgetGathering(ctx.db, [brain_id]);
  await enqueueLinking(jobs, ctx.db, ctx.caller.workspaceId, [id], ctx.now);
}
