// Terms outside a text that help to find it: its author, its date, and the times it names. Many documents share them,
// so they are grouped: the words of a day are stored once, not for each document of that day.
import { attributeWeights, createDateWords } from './context.ts';
import type { Searchable } from './searchable.ts';
import { getLanguageCode } from './stems.ts';
import { findRelativeTimes } from './time-expressions.ts';
import type { TimeSpan } from './time-expressions.ts';
import type { AnalyseText } from './tokens.ts';

/** Documents with the same terms outside their text. */
export type AttributeGroup = {
  readonly key: string;
  /** Whether its terms are about a time. */
  readonly isDate: boolean;
  /** The weight of each term, relative to a word of the text. */
  readonly weights: ReadonlyMap<string, number>;
  /** How much they add to the length of a bag. */
  readonly length: number;
  /** The passages of its documents, in no order. A passage that has the attribute twice appears twice. */
  readonly passages: number[];
};

export type AttributeTable = {
  /** The groups of a row. Documents must join them, or the groups stay empty. */
  readonly listGroups: (row: Searchable) => AttributeGroup[];
  readonly groups: Map<string, AttributeGroup>;
  /** Term → the groups that have it. */
  readonly byTerm: Map<string, AttributeGroup[]>;
};

const dayMs = 86_400_000;
/** Each is recorded for every passage of a text. */
const mostTimes = 64;
const mostNames = 64;

/** An empty table for texts in one language. */
export function createAttributeTable(analyse: AnalyseText, language: string): AttributeTable {
  const dateWords = createDateWords(language);
  const isEnglish = getLanguageCode(language) === 'en';
  const groups = new Map<string, AttributeGroup>();
  const byTerm = new Map<string, AttributeGroup[]>();

  function getGroup(key: string, weight: number, words: () => string): AttributeGroup {
    const known = groups.get(key);
    if (known) return known;
    const terms = analyse(words(), mostNames).flatMap(({ stems, wholes }) => [...stems, ...wholes]);
    const weights = new Map<string, number>();
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight);
    const group = { key, isDate: !key.startsWith('author '), weights, length: terms.length * weight, passages: [] };
    groups.set(key, group);
    for (const term of weights.keys()) {
      const others = byTerm.get(term);
      if (others) others.push(group);
      else byTerm.set(term, [group]);
    }
    return group;
  }

  function groupOfDay(date: Date): AttributeGroup {
    return getGroup(`day ${Math.floor(date.getTime() / dayMs)}`, attributeWeights.date, () => dateWords(date));
  }

  function groupOfSpan(span: TimeSpan): AttributeGroup {
    if (span.unit === 'day') return groupOfDay(span.start);
    return getGroup(`${span.unit} ${span.start.getTime()}`, attributeWeights.date, () => formatSpan(span));
  }

  return {
    listGroups({ author, occurredAt, body }) {
      const found = [groupOfDay(occurredAt)];
      if (author !== null) found.push(getGroup(`author ${author}`, attributeWeights.author, () => author));
      if (isEnglish) for (const span of findRelativeTimes(body, occurredAt, mostTimes)) found.push(groupOfSpan(span));
      return found;
    },
    groups,
    byTerm,
  };
}

/** Removes a passage from a group, and removes the group with its last passage. */
export function leaveGroup({ groups, byTerm }: AttributeTable, group: AttributeGroup, passage: number): void {
  const { passages } = group;
  const at = passages.lastIndexOf(passage);
  if (at < 0) return;
  const last = passages.pop();
  if (at < passages.length && last !== undefined) passages[at] = last;
  if (passages.length > 0) return;
  groups.delete(group.key);
  for (const term of group.weights.keys()) {
    const others = (byTerm.get(term) ?? []).filter((other) => other !== group);
    if (others.length > 0) byTerm.set(term, others);
    else byTerm.delete(term);
  }
}

/** In how many passages a term is an attribute. */
export function countAttributePassages({ byTerm }: AttributeTable, term: string): number {
  let frequency = 0;
  for (const { passages } of byTerm.get(term) ?? []) frequency += passages.length;
  return frequency;
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** A week or month by the month's name and year, a year by its number. */
function formatSpan({ unit, start }: TimeSpan): string {
  const year = String(start.getUTCFullYear());
  return unit === 'year' ? year : `${year} ${monthName.format(start)}`;
}
