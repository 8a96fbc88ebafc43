// Decides when a trigger's condition matches a text: by shared words, so that a database index can find the few
// candidates.
import { listStems } from './topics.ts';

/** A condition matches when at least this share of the words of one of its alternatives is in the text. */
const fittingShare = 0.5;
const alternatives = /\bor\b|[,;]/i;
/** Words that only phrase a condition; ignored while other words remain. */
const uninformativeStems = listStems(
  'working work discussing discuss talking talk asking ask planning plan thinking think writing considering touching changing using dealing starting question topic mention mentions comes come user conversation someone anything related regarding',
);

/** One alternative of a condition: it matches a text with `needed` of its stems. */
export type Alternative = { stems: string[]; needed: number; words: string[] };

/**
 * The alternatives of a condition. A matching text has at least one of an alternative's `words`, because more than
 * `stems.length - needed` of them cannot all be missing. The longest are chosen, because they are most selective.
 */
export function parseAlternatives(condition: string): Alternative[] {
  return condition.split(alternatives).flatMap((each) => {
    const all = [...listStems(each)];
    const telling = all.filter((stem) => !uninformativeStems.has(stem));
    const stems = telling.length ? telling : all;
    if (!stems.length) return [];
    const needed = Math.ceil(fittingShare * stems.length);
    const words = stems.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, stems.length - needed + 1);
    return [{ stems, needed, words }];
  });
}

/** Whether an alternative matches a text with these stems. */
export function isAlternativeMet(
  { stems, needed }: Pick<Alternative, 'stems' | 'needed'>,
  here: ReadonlySet<string>,
): boolean {
  return stems.filter((stem) => here.has(stem)).length >= needed;
}
