// Groups memories, or passages of a document, into constellations by shared topics. Equal input gives equal groups.
import { setImmediate } from 'node:timers/promises';

/** A memory with its topics, as they are spelled. */
export type TopicalMemory = { id: string; topics: readonly string[] };

/** A group of memories, with the topics it was formed from, the most specific first. */
export type Group = { topics: string[]; memberIds: string[] };

/** How many of the most frequent topics are used, so that their pairs fit into a small table. */
const mostTopics = 1_000;
/** A topic of fewer memories forms no group. A topic of more than this share of all memories is too general. */
const fewestMemories = 3;
const tooCommon = 0.4;
/** A topic joins the topic with which it appears most often, when the cosine of the two is at least this. */
const leastCosine = 0.35;
const usualMost = 50;
const topicsPerMemory = 8;
const topicsPerLabel = 3;
/** Pauses between slices of the work let other calls run. */
const perSlice = 1_000;

type Topic = { key: string; spelling: string; count: number };

/** `fewest`: how many memories make a group or share a topic. `mostGroups`: only the largest groups are kept. */
export type GatherOptions = { fewest?: number; mostGroups?: number };

/** Groups memories, in any order. Other work runs between slices of the grouping. */
export async function gather(
  memories: readonly TopicalMemory[],
  { fewest = fewestMemories, mostGroups = usualMost }: GatherOptions = {},
): Promise<Group[]> {
  const topics = await listFrequentTopics(memories, fewest);
  const numbers = new Map(topics.map(({ key }, number) => [key, number]));
  const listTopics = (memory: TopicalMemory) => listTopicNumbers(memory, numbers);
  const together = new Float32Array(topics.length ** 2);
  await runInSlices(memories, (memory) => {
    const own = listTopics(memory);
    for (const one of own) for (const other of own) if (other < one) together[one * topics.length + other]! += 1;
  });
  const groupOf = await joinTopics(topics, together);
  const members = new Map<number, string[]>();
  const weights = topics.map(({ count }) => Math.log(1 + memories.length / count));
  await runInSlices(memories, (memory) => {
    const group = findBestGroup(listTopics(memory), groupOf, weights);
    if (group === null) return;
    const list = members.get(group);
    if (list) list.push(memory.id);
    else members.set(group, [memory.id]);
  });
  return [...members]
    .filter(([, ids]) => ids.length >= fewest)
    .toSorted(([one, a], [other, b]) => b.length - a.length || one - other)
    .slice(0, mostGroups)
    .map(([group, memberIds]) => ({ memberIds, topics: listGroupTopics(topics, groupOf, group) }));
}

/** The label of a group for people. */
export function formatTopicLabel({ topics }: Pick<Group, 'topics'>): string {
  return topics.slice(0, topicsPerLabel).join(' · ');
}

async function runInSlices<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const [position, item] of items.entries()) {
    if (position % perSlice === perSlice - 1) await setImmediate();
    work(item);
  }
}

/** The topics that may form a group, most frequent first, in their most frequent spelling. */
async function listFrequentTopics(memories: readonly TopicalMemory[], fewest: number): Promise<Topic[]> {
  const counts = new Map<string, { count: number; spellings: Map<string, number> }>();
  await runInSlices(memories, ({ topics }) => {
    for (const spelling of topics.slice(0, topicsPerMemory)) {
      const key = spelling.toLowerCase();
      const known = counts.get(key) ?? { count: 0, spellings: new Map<string, number>() };
      if (!known.count) counts.set(key, known);
      known.count += 1;
      known.spellings.set(spelling, (known.spellings.get(spelling) ?? 0) + 1);
    }
  });
  const most = Math.max(fewest, tooCommon * memories.length);
  const frequent: Topic[] = [];
  await runInSlices([...counts], ([key, { count, spellings }]) => {
    if (count < fewest || count > most) return;
    const [[spelling = key] = []] = [...spellings].toSorted(
      ([a, one], [b, other]) => other - one || compareTexts(a, b),
    );
    frequent.push({ key, spelling, count });
  });
  return frequent.toSorted((a, b) => b.count - a.count || compareTexts(a.key, b.key)).slice(0, mostTopics);
}

function listTopicNumbers({ topics }: TopicalMemory, numbers: ReadonlyMap<string, number>): number[] {
  return topics.slice(0, topicsPerMemory).flatMap((topic) => numbers.get(topic.toLowerCase()) ?? []);
}

/**
 * For each topic, the number of the most frequent topic of its group. A topic joins the more frequent topic with which
 * it appears most often, relative to the frequency of both; of equal ones, the more frequent.
 */
async function joinTopics(topics: readonly Topic[], together: Float32Array): Promise<number[]> {
  const groupOf: number[] = [];
  await runInSlices(topics, ({ count }) => {
    const topic = groupOf.length;
    let best = topic;
    let bestCosine = leastCosine;
    for (let other = 0; other < topic; other += 1) {
      const pairs = together[topic * topics.length + other]!;
      if (!pairs) continue;
      const cosine = pairs / Math.sqrt(count * topics[other]!.count);
      if (cosine > bestCosine) [best, bestCosine] = [other, cosine];
    }
    groupOf.push(best === topic ? topic : groupOf[best]!);
  });
  return groupOf;
}

/**
 * The group that most of a memory's topics belong to, with rare topics counting more; null when it has no frequent
 * topic.
 */
function findBestGroup(own: readonly number[], groupOf: readonly number[], weights: readonly number[]): number | null {
  const scores = new Map<number, number>();
  for (const topic of own) {
    const group = groupOf[topic]!;
    scores.set(group, (scores.get(group) ?? 0) + weights[topic]!);
  }
  let best: number | null = null;
  for (const [group, score] of scores) {
    const top = best === null ? -1 : scores.get(best)!;
    if (score > top || (score === top && group < best!)) best = group;
  }
  return best;
}

function listGroupTopics(topics: readonly Topic[], groupOf: readonly number[], group: number): string[] {
  return topics.flatMap(({ spelling }, topic) => (groupOf[topic] === group ? [spelling] : [])).slice(0, 10);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
