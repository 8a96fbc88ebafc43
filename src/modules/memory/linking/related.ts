// Links a new memory to stored ones.
import type { Search, SimilarAnswer } from '#platform/search';
import { findContradiction, countSharedWords, type Contradiction } from '../rules/contradiction.ts';
import { listDismissedKinds } from '../store/contradictions.ts';
import { insertNearDuplicates } from '../store/duplicates.ts';
import { insertLinks, type NewLink } from '../store/links.ts';
import { findStatements, type NewMemory, type Statement } from '../store/memories.ts';
import { strengthen } from '../store/recalls.ts';
import type { Db } from '../store/tables.ts';
import { listStems } from '../rules/topics.ts';

/** A memory is linked to those that share at least this part of its words, and at least two. */
const sharedPart = 0.3;
const fewestShared = 2;
const mostLinks = 5;
/**
 * Near duplicates: at least this share of the score that a memory would get for its own text, and this share of all
 * words in common.
 */
const nearShare = 0.75;
const nearWords = 0.8;
const strengthStep = 0.2;

/** The found and stored relations: links, conflicts, near duplicates, and recalled memories that became stronger. */
export type Relations = {
  related: string[];
  conflicts: (Contradiction & { id: string })[];
  nearDuplicates: { id: string; similarity: number }[];
  strengthened: string[];
};

/** Memories of the same brain about the same subject, best first. */
export function findSimilar(search: Search, memory: NewMemory, limit = mostLinks): Promise<SimilarAnswer> {
  return search.similar({
    workspaceId: memory.workspace_id,
    brainId: memory.brain_id,
    text: memory.content,
    limit,
  });
}

/** Ids of those of the found that a memory is linked to. */
function listRelatedIds({ hits }: SimilarAnswer, content: string): string[] {
  const needed = Math.max(fewestShared, sharedPart * listStems(content).size);
  const isRelated = ({ kind, why }: (typeof hits)[number]) => kind === 'memory' && why.terms.length >= needed;
  return hits
    .filter(isRelated)
    .map((hit) => hit.id)
    .slice(0, mostLinks);
}

/**
 * Links a stored memory to others, flags contradictions, reports near duplicates, and strengthens recalled memories
 * that it builds on.
 */
export async function relate(
  db: Db,
  memory: NewMemory,
  similar: SimilarAnswer,
  recalled: readonly string[],
): Promise<Relations> {
  const related = listRelatedIds(similar, memory.content);
  const others = await findStatements(db, [...new Set([...related, ...recalled])]);
  const relations = compareWithOthers(memory, similar, related, recalled, others);
  await insertLinks(db, buildLinks(memory, relations));
  await insertNearDuplicates(
    db,
    relations.nearDuplicates.map(({ id, similarity }) => ({
      memory_id: memory.id,
      duplicate_of: id,
      workspace_id: memory.workspace_id,
      brain_id: memory.brain_id,
      similarity,
      found_at: memory.created_at,
    })),
  );
  await strengthen(db, relations.strengthened, strengthStep);
  const dismissed = relations.conflicts.length ? await listDismissedKinds(db, [memory.brain_id]) : [];
  const isOpen = ({ kind }: Contradiction) => !dismissed.some((each) => each.kind === kind);
  return { ...relations, conflicts: relations.conflicts.filter(isOpen) };
}

function compareWithOthers(
  memory: NewMemory,
  similar: SimilarAnswer,
  related: string[],
  recalled: readonly string[],
  others: readonly Statement[],
): Relations {
  const own = listStems(memory.content);
  const relations: Relations = { related, conflicts: [], nearDuplicates: [], strengthened: [] };
  const scores = new Map(similar.hits.map((hit) => [hit.id, hit.score]));
  for (const other of others) {
    const contradiction = areOneSeries(memory, other) ? null : findContradiction(memory.content, other.content);
    if (contradiction) relations.conflicts.push({ id: other.id, ...contradiction });
    const stems = listStems(other.content);
    const { share, count } = countSharedWords(own, stems);
    if (!contradiction && recalled.includes(other.id) && share >= sharedPart && count >= fewestShared)
      relations.strengthened.push(other.id);
    const similarity = Math.min(1, (scores.get(other.id) ?? 0) / (similar.selfScore || 1));
    const words = count / Math.max(1, own.size + stems.size - count);
    const isExact = toComparableText(memory.content) === toComparableText(other.content);
    if (!contradiction && !isExact && words >= nearWords && similarity >= nearShare)
      relations.nearDuplicates.push({ id: other.id, similarity: Math.round(words * 100) / 100 });
  }
  const contradicted = new Set(relations.conflicts.map(({ id }) => id));
  return { ...relations, related: related.filter((id) => !contradicted.has(id)) };
}

/**
 * Whether two memories are items of one source and series, such as the readings of a feed: each is true at its time.
 * Texts between people and agents are not a series.
 */
function areOneSeries(one: Statement, other: Statement): boolean {
  const isSpoken = ({ role }: Statement) => role === 'user' || role === 'assistant';
  if (isSpoken(one) || isSpoken(other) || one.author !== other.author) return false;
  const feed = findFeedName(one);
  return feed !== null && feed === findFeedName(other);
}

/** A connector, or an automation; null for what a person or an agent stored. */
function findFeedName({ source, stored_by_label }: Statement): string | null {
  return source ?? (stored_by_label?.startsWith('Automation ') ? stored_by_label : null);
}

/** The database compares texts the same way when it looks for exact duplicates, which are reported there. */
function toComparableText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s.,;:!?"'()]+/g, ' ')
    .trim();
}

/** A contradicted memory is linked as such, not as an agreeing one. */
function buildLinks(memory: NewMemory, { related, conflicts }: Relations): NewLink[] {
  const link = { workspaceId: memory.workspace_id, from: memory.id, at: memory.created_at };
  return [
    ...related.map((to) => ({ ...link, to, type: 'relates_to' as const, origin: 'automatic' as const })),
    ...conflicts.map(({ id, reason, kind }) => ({
      ...link,
      to: id,
      type: 'conflicts_with' as const,
      origin: 'detected' as const,
      reason,
      kind,
    })),
  ];
}
