// The context of a document that helps to find it: neighbouring turns, its author, its date.
import type { Turn } from './threads.ts';

/** The weight of one word of a neighbour, by its distance in turns. More distant turns do not count. */
const neighbourWeights = [0.5, 0.25] as const;

/** A turn shorter than this takes its meaning from the turns around it; the longer a turn is, the less it takes. */
const selfContainedLength = 12;
/** A neighbour adds at most about this many words, or as many as the turn itself has. */
const borrowedLength = 8;

/**
 * The weight of one word of a neighbour in the bag of a turn.
 * @param distance 1 or 2 turns.
 * @param ownLength length of the turn in stems.
 * @param neighbourLength length of the neighbour in stems, above 0.
 */
export function computeNeighborWeight(distance: 1 | 2, ownLength: number, neighbourLength: number): number {
  const needed = Math.min(1, selfContainedLength / ownLength);
  const share = Math.min(1, Math.max(borrowedLength, ownLength) / neighbourLength);
  return neighbourWeights[distance - 1]! * needed * share;
}

/** The neighbours whose words count for a turn. */
export function listNeighbors<T extends Turn<T>>(turn: T): { neighbour: T; distance: 1 | 2 }[] {
  const found: { neighbour: T; distance: 1 | 2 }[] = [];
  for (const near of [turn.previous, turn.next]) if (near) found.push({ neighbour: near, distance: 1 });
  for (const far of [turn.previous?.previous, turn.next?.next]) if (far) found.push({ neighbour: far, distance: 2 });
  return found;
}

/** The weight of a word of the author or date, relative to a word of the text. */
export const attributeWeights = { author: 1, date: 0.5 } as const;

/**
 * The words by which a day is found, in the given language: year, month, day of month, weekday, and the ISO date. UTC.
 */
export function createDateWords(language: string): (date: Date) => string {
  const known = new Map<number, string>();
  const names = new Intl.DateTimeFormat(getLocale(language), { month: 'long', weekday: 'long', timeZone: 'UTC' });
  return (date) => {
    if (Number.isNaN(date.getTime())) return '';
    const day = Math.floor(date.getTime() / 86_400_000);
    let words = known.get(day);
    if (words === undefined) {
      const iso = date.toISOString().slice(0, 10);
      const named = names.formatToParts(date).filter((part) => part.type === 'month' || part.type === 'weekday');
      words = [iso.slice(0, 4), ...named.map((part) => part.value), String(date.getUTCDate()), iso].join(' ');
      known.set(day, words);
    }
    return words;
  };
}

function getLocale(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
