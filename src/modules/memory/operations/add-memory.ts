import { defineOperation } from '#kernel/operation';
import { brainId, readBrainLanguage } from '#modules/brains';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { z } from 'zod';
import { contradictionKinds } from '../rules/contradiction.ts';
import { memoryStored } from '../events.ts';
import { sessionId } from '../ids.ts';
import { findLanguageNotice } from '../storing/language-notice.ts';
import { findSimilarOrLinkLater } from '../linking/link-later.ts';
import { memoryFields, memoryTypes, saliences } from '../memory-fields.ts';
import { buildMemory, storeMemories } from '../storing/new-memory.ts';
import type { RecallRecord } from '../recalling/recall-record.ts';
import { relate, type Relations } from '../linking/related.ts';
import { checkRouting, routingCheck } from '../storing/routing.ts';
import { listRecalledIds } from '../store/recalls.ts';

/** A memory can build on this many of the latest recalls of a session. */
const mostRecalled = 50;

const duplicate = z.object({
  id: z.uuid(),
  kind: z.enum(['exact', 'near']).describe('exact: equal except for letter case, spaces and punctuation.'),
  similarity: z.number(),
});

const output = z.object({
  id: z.uuid(),
  type: z.enum(memoryTypes),
  salience: z.enum(saliences),
  topics: z.array(z.string()),
  auto_linked_to: z.array(z.uuid()),
  duplicate_of: z.uuid().nullable().describe('The duplicate, if any. This memory is stored too.'),
  duplicates: z.array(duplicate),
  conflicts: z
    .array(z.object({ id: z.uuid(), kind: z.enum(contradictionKinds), reason: z.string() }))
    .describe('Memories that this one contradicts. Archive the outdated ones.'),
  strengthened: z.array(z.uuid()).describe('Memories recalled in this session that this one builds on.'),
  message: z.string(),
  routing_check: routingCheck,
  notice: z.string().optional().describe('A note if English rules were applied to a brain in another language.'),
});

const examples = [
  {
    title: 'A decision, with a trigger that shows it again',
    input: {
      content: 'We chose Postgres over Neo4j because graph sizes per brain are small',
      type: 'decision' as const,
      triggers: [{ condition: 'working on graph storage', reason: 'The choice is made. Measure before you change it' }],
    },
  },
];

export function addMemory(search: Search, recalls: RecallRecord, jobs: Jobs) {
  return defineOperation({
    name: 'add_memory',
    summary: 'Store one thing worth remembering: a decision, constraint, fact, preference or observation.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:write', brain: { role: 'editor', of: 'target_brain_id' } },
    rest: [{ method: 'POST', path: '/v1/memory/add' }],
    input: z.strictObject({
      ...memoryFields,
      target_brain_id: brainId.optional().describe('Default: your home brain.'),
      session_id: sessionId
        .optional()
        .describe(
          'From `load_brain`. Recalled memories that you build on become stronger; contradictions are flagged.',
        ),
    }),
    output,
    errors: ['not_found', 'forbidden'],
    examples,
    async run(ctx, input) {
      const brain = input.target_brain_id ?? (await ctx.brains()).homeBrainId;
      const memory = buildMemory(ctx, brain, input, input.session_id ?? null);
      if (input.session_id) await recalls.waitUntilCounted();
      // Similar memories do not include the new one, so both can run concurrently.
      const [similar, exact] = await Promise.all([
        findSimilarOrLinkLater(jobs, ctx, search, memory),
        storeMemories(ctx, brain, [memory]),
      ]);
      const readable = [...(await ctx.brains()).roles.keys()];
      const recalled = input.session_id ? await listRecalledIds(ctx.db, input.session_id, readable, mostRecalled) : [];
      const relations = await relate(ctx.db, memory, similar, recalled);
      await ctx.emit(memoryStored({ ids: [memory.id], brain_id: brain }, { brainId: brain }));
      const original = exact.get(memory.id) ?? null;
      const { id, type, salience, topics } = memory;
      const notice = findLanguageNotice(await readBrainLanguage(ctx.db, brain), [input]);
      return {
        id,
        type,
        salience,
        topics,
        auto_linked_to: relations.related,
        duplicate_of: original,
        duplicates: presentDuplicates(original, relations),
        conflicts: relations.conflicts,
        strengthened: relations.strengthened,
        message: formatStoredMessage(`Stored ${salience} ${type}.`, original, relations),
        routing_check: await checkRouting(ctx, memory.content, brain),
        ...(notice !== null && { notice }),
      };
    },
  });
}

function presentDuplicates(original: string | null, { nearDuplicates }: Relations): z.input<typeof duplicate>[] {
  const near = nearDuplicates.map((each) => ({ ...each, kind: 'near' as const }));
  return original ? [{ id: original, kind: 'exact', similarity: 1 }, ...near] : near;
}

function formatStoredMessage(
  stored: string,
  original: string | null,
  { related, conflicts, nearDuplicates }: Relations,
): string {
  const said = [stored];
  if (related.length) said.push(`This connects to ${related.length} related memories.`);
  if (original) said.push('A duplicate was already stored. Merge both with merge_memories.');
  else if (nearDuplicates.length) said.push('Something very similar was already stored: see duplicates.');
  if (conflicts.length) said.push(`It contradicts ${conflicts.length} of them. Archive the outdated ones.`);
  return said.join(' ');
}
