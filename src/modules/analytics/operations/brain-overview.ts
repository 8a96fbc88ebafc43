import type { Context } from '#kernel/context';
import { itemIdList } from '#kernel/ids';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import {
  conflict,
  listPresentedConflicts,
  countStored,
  findConstellations,
  findPressing,
  findRecalls,
  listByType,
  memoryOutput,
  presentMemories,
} from '#modules/memory';
import { countPagesBySource } from '#modules/pages';
import { z } from 'zod';
import { modes, selectBrains } from '../brain-selection.ts';
import { computeStartOfDays, formatDay } from '../days.ts';

const mostListed = 20;
const mostBrains = 50;

const output = z.object({
  mode: z.enum(modes),
  brains: z.array(z.object({ id: z.uuid(), name: z.string() })),
  period: z.object({ days: z.number().int(), from: z.iso.date(), to: z.iso.date() }).describe('Days in UTC.'),
  memories_created: z.number().int(),
  by_type: z.record(z.string(), z.number().int()),
  decisions: z.array(memoryOutput).describe('Decisions of the period, newest first.'),
  constraints: z.array(memoryOutput).describe('Constraints of the period, newest first.'),
  constellations: z.array(
    z.object({ id: z.uuid(), label: z.string(), brain_id: z.uuid(), memory_count: z.number().int() }),
  ),
  ingestion_stats: z
    .array(z.object({ source: z.string(), memories: z.number().int(), pages: z.number().int() }))
    .describe('New memories of the period, by source. human: written by people and agents.'),
  priority_ingredients: z
    .array(memoryOutput.extend({ recall_count: z.number().int() }))
    .describe('The most recalled critical and elevated memories of the period.'),
  conflicts: z.array(conflict).describe('Active memories that contradict each other.'),
});

export const brainOverview = defineOperation({
  name: 'brain_overview',
  summary: 'Show recent activity in all brains, in one, in one with its children, or in several.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/brain/overview' }],
  input: z.strictObject({
    days: z.number().int().min(1).max(365).default(7),
    brain_id: itemIdList('brain', mostBrains)
      .optional()
      .describe('One brain, or several with commas between. Default: every brain you may read.'),
    include_children: z.boolean().default(false).describe('Include the brains below the named ones.'),
  }),
  output,
  errors: ['not_found'],
  examples: [
    { title: 'The last week in all brains', input: {} },
    {
      title: 'A division and its teams',
      input: { brain_id: createExampleId('brain'), include_children: true, days: 30 },
    },
  ],
  async run(ctx, { days, brain_id, include_children }) {
    const { mode, brains } = await selectBrains(ctx, brain_id, include_children);
    const since = computeStartOfDays(ctx.now, days);
    const window = { brainIds: brains.map(({ id }) => id), since };
    const stored = await countStored(ctx.db, window);
    return {
      mode,
      brains: brains.map(({ id, name }) => ({ id, name })),
      period: { days, from: formatDay(since), to: formatDay(ctx.now) },
      memories_created: stored.reduce((sum, { memories }) => sum + memories, 0),
      by_type: sumByKey(stored, ({ type }) => type),
      decisions: await listByType(ctx.db, window, 'decision', mostListed),
      constraints: await listByType(ctx.db, window, 'constraint', mostListed),
      constellations: await listBrainConstellations(ctx, window.brainIds),
      ingestion_stats: await readIngestion(ctx, window, stored),
      priority_ingredients: await readIngredients(ctx, window),
      conflicts: await listPresentedConflicts(ctx.db, window.brainIds, { limit: mostListed }),
    };
  },
});

type Window = { brainIds: readonly string[]; since: Date };
type StoredCounts = Awaited<ReturnType<typeof countStored>>;

function sumByKey(stored: StoredCounts, getKey: (row: StoredCounts[number]) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of stored) sums[getKey(row)] = (sums[getKey(row)] ?? 0) + row.memories;
  return sums;
}

async function listBrainConstellations(ctx: Context, brainIds: readonly string[]) {
  const found = await findConstellations(ctx.db, brainIds, mostListed);
  return found.map(({ id, label, brain_id, memory_count }) => ({ id, label, brain_id, memory_count }));
}

async function readIngestion(ctx: Context, { brainIds, since }: Window, stored: StoredCounts) {
  const memories = sumByKey(stored, ({ source }) => source ?? 'human');
  const pages = new Map(
    (await countPagesBySource(ctx.db, brainIds, since)).map((row) => [row.source ?? 'human', row.pages]),
  );
  const sources = new Set([...Object.keys(memories), ...pages.keys()]);
  return [...sources]
    .toSorted()
    .map((source) => ({ source, memories: memories[source] ?? 0, pages: pages.get(source) ?? 0 }));
}

async function readIngredients(ctx: Context, window: Window) {
  const ids = await findPressing(ctx.db, window, mostListed);
  const recalls = await findRecalls(ctx.db, ids);
  const memories = await presentMemories(ctx.db, ids);
  return memories.map((memory) => ({ ...memory, recall_count: recalls.get(memory.id)?.recall_count ?? 0 }));
}
