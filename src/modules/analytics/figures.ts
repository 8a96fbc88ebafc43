// The statistics that one brain and a tree of brains have in common.
import type { Context } from '#kernel/context';
import {
  countDays,
  countRecalls,
  findMostRecalled,
  findRecalls,
  listContributors,
  memoryOutput,
  presentMemories,
} from '#modules/memory';
import { z } from 'zod';
import { computeStartOfDays, listLastDays } from './days.ts';

const shownDays = 30;
const mostListed = 10;

export const contributor = z.object({
  person_id: z.uuid(),
  names: z.array(z.string()).describe('The names of the person and of their keys.'),
  memories: z.number().int(),
});
export const day = z.object({
  date: z.iso.date(),
  memories: z.number().int(),
  recalls: z.number().int(),
  sessions: z.number().int(),
});
export const impact = memoryOutput.extend({
  recall_count: z.number().int(),
  strength: z.number().describe('0 to 1. Grows when new memories build on it.'),
});

/** The statistics of each of the last 30 days, in UTC, including days without any. */
export async function readDailyActivity(ctx: Context, brainIds: readonly string[]): Promise<z.input<typeof day>[]> {
  const since = computeStartOfDays(ctx.now, shownDays);
  const counted = new Map((await countDays(ctx.db, { brainIds, since })).map((each) => [each.day, each]));
  const recalls = new Map<string, number>();
  for (const each of await countRecalls(ctx.db, brainIds, since))
    recalls.set(each.day, (recalls.get(each.day) ?? 0) + each.recalls);
  return listLastDays(ctx.now, shownDays).map((date) => ({
    date,
    memories: counted.get(date)?.memories ?? 0,
    recalls: recalls.get(date) ?? 0,
    sessions: counted.get(date)?.sessions ?? 0,
  }));
}

/** The memories that were recalled most. */
export async function listHighImpact(ctx: Context, brainIds: readonly string[]): Promise<z.input<typeof impact>[]> {
  const ids = await findMostRecalled(ctx.db, brainIds, mostListed);
  const recalls = await findRecalls(ctx.db, ids);
  const memories = await presentMemories(ctx.db, ids);
  return memories.map((memory) => {
    const { recall_count = 0, strength = 0 } = recalls.get(memory.id) ?? {};
    return { ...memory, recall_count, strength };
  });
}

/** Who stored most, by person; in a tree also by brain. */
export async function presentContributors(ctx: Context, brainIds: readonly string[]) {
  const rows = await listContributors(ctx.db, brainIds);
  const people = Map.groupBy(rows, ({ stored_by }) => stored_by);
  const all = [...people].map(([person_id, own]) => ({
    person_id,
    names: [...new Set(own.map(({ stored_by_label }) => stored_by_label))],
    memories: own.reduce((sum, { memories }) => sum + memories, 0),
  }));
  const perBrain = Map.groupBy(rows, ({ brain_id }) => brain_id);
  return {
    top: all.toSorted((a, b) => b.memories - a.memories || (a.person_id < b.person_id ? -1 : 1)).slice(0, mostListed),
    count: people.size,
    countIn: (brainId: string) => new Set(perBrain.get(brainId)?.map(({ stored_by }) => stored_by)).size,
  };
}
