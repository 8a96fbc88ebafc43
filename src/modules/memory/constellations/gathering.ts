// Keeps the constellations of brains current, in the background: an existing constellation keeps its id and name.
import { setImmediate } from 'node:timers/promises';
import type { Transactions } from '#kernel/database';
import type { Round } from '#kernel/module';
import { gather, formatTopicLabel, type Group, type TopicalMemory } from '#platform/constellations';
import { queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import {
  deleteConstellations,
  findGathered,
  insertConstellations,
  listStaleness,
  listTopics,
  lockGathering,
  putMembers,
  recordGathering,
  removeMembers,
  setMemoryCount,
  type TopicsPage,
} from '../store/constellations.ts';
import type { Db } from '../store/tables.ts';

export type GroupingDeps = { transactions: Transactions; now: () => Date; newId: () => string };

const perPage = 2_000;
/** Grouped again after this many changes, or this share of the brain; or when a few changes have waited long enough. */
const manyChanges = 20;
const manyOfAll = 0.05;
const fewestMemories = 6;
const longestWaitMs = 10 * 60_000;
/** Grouping a large brain takes longer, so few changes wait longer. */
const waitPerMemoryMs = 36;

type Staleness = { gathered_at: Date | null; memories: number; changes: number };

/** Once a minute: groups the brains again in which enough has changed. */
export function createGatheringRound(gathering: GroupingDeps): Round {
  return {
    name: 'constellations',
    findWorkspaces: (db) => {
      const waitedSince = new Date(gathering.now().getTime() - longestWaitMs);
      return queryWorkspaceIds(db, sql`workspaces_to_gather(${fewestMemories}, ${manyChanges}, ${waitedSince})`); // checked by `isStale`
    },
    run: (workspaceId) => gatherStale(gathering, workspaceId),
  };
}

/** Groups the brains of a workspace again in which enough has changed. Returns these brains. */
export async function gatherStale(gathering: GroupingDeps, workspaceId: string): Promise<string[]> {
  const all = await gathering.transactions.run(workspaceId, 'read', (db) => listStaleness(db));
  const stale = all.filter((brain) => isStale(brain, gathering.now())).map((brain) => brain.brain_id);
  for (const brainId of stale) await gatherBrain(gathering, workspaceId, brainId);
  return stale;
}

/** Whether enough has changed in a brain, or long enough ago, to group it again. */
export function isStale({ gathered_at, memories, changes }: Staleness, now: Date): boolean {
  if (!gathered_at) return changes >= fewestMemories;
  if (changes >= Math.max(manyChanges, manyOfAll * memories)) return true;
  const waited = now.getTime() - gathered_at.getTime();
  return changes > 0 && waited >= Math.max(longestWaitMs, waitPerMemoryMs * memories);
}

/**
 * Groups one brain: reads its topics in pages, groups them while no transaction is open, and writes the differences.
 */
export async function gatherBrain(gathering: GroupingDeps, workspaceId: string, brainId: string): Promise<void> {
  const at = gathering.now();
  const memories = await gathering.transactions.run(workspaceId, 'read', (db) => readTopics(db, brainId));
  const groups = await gather(memories);
  await gathering.transactions.run(workspaceId, 'write', async (db) => {
    await lockGathering(db, brainId);
    await write(db, { workspaceId, brainId, at, newId: gathering.newId }, groups);
    await recordGathering(db, {
      brain_id: brainId,
      workspace_id: workspaceId,
      gathered_at: at,
      memories: memories.length,
    });
  });
}

async function readTopics(db: Db, brainId: string): Promise<TopicalMemory[]> {
  const memories: TopicalMemory[] = [];
  let next: TopicsPage['next'] = null;
  do {
    const page: TopicsPage = await listTopics(db, brainId, next, perPage);
    memories.push(...page.memories);
    next = page.next;
    await setImmediate();
  } while (next);
  return memories;
}

type GatheringScope = { workspaceId: string; brainId: string; at: Date; newId: () => string };

async function write(
  db: Db,
  { workspaceId, brainId, at, newId }: GatheringScope,
  groups: readonly Group[],
): Promise<void> {
  const { constellations, members } = await findGathered(db, brainId);
  const before = new Map(members.map((member) => [member.memory_id, member.constellation_id]));
  const heirs = matchGroups(groups, before);
  const placed = groups.map((group, number) => ({ group, id: heirs.get(number) ?? newId() }));
  const isKept = new Set(heirs.values());
  await insertConstellations(
    db,
    placed
      .filter(({ id }) => !isKept.has(id))
      .map(({ group, id }) => ({
        id,
        workspace_id: workspaceId,
        brain_id: brainId,
        label: formatTopicLabel(group),
        topics: group.topics,
        memory_count: group.memberIds.length,
        created_at: at,
      })),
  );
  for (const { group, id } of placed) if (isKept.has(id)) await setMemoryCount(db, id, group.memberIds.length);
  const after = new Map(placed.flatMap(({ group, id }) => group.memberIds.map((memoryId) => [memoryId, id] as const)));
  const changed = [...after].filter(([memoryId, id]) => before.get(memoryId) !== id);
  for (let first = 0; first < changed.length; first += perPage) {
    const page = changed.slice(first, first + perPage);
    await putMembers(
      db,
      page.map(([memoryId, constellationId]) => ({ memoryId, constellationId })),
    );
    await setImmediate();
  }
  await removeMembers(db, [...before.keys()].filter((id) => !after.has(id)).slice(0, 10_000));
  await deleteConstellations(
    db,
    constellations.map(({ id }) => id).filter((id) => !isKept.has(id)),
  );
}

/**
 * Which constellation each group continues: the one it shares most memories with, if that is half of either. Of equal
 * ones the older, so that the result is always the same.
 */
export function matchGroups(groups: readonly Group[], before: ReadonlyMap<string, string>): Map<number, string> {
  const sizes = new Map<string, number>();
  for (const id of before.values()) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  const overlaps = groups.flatMap(({ memberIds }, number) => {
    const shared = new Map<string, number>();
    for (const memoryId of memberIds) {
      const id = before.get(memoryId);
      if (id) shared.set(id, (shared.get(id) ?? 0) + 1);
    }
    return [...shared]
      .filter(([id, count]) => 2 * count >= Math.min(memberIds.length, sizes.get(id) ?? 0))
      .map(([id, count]) => ({ number, id, count }));
  });
  const heirs = new Map<number, string>();
  const taken = new Set<string>();
  for (const { number, id } of overlaps.toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))) {
    if (heirs.has(number) || taken.has(id)) continue;
    heirs.set(number, id);
    taken.add(id);
  }
  return heirs;
}
