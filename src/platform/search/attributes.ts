// What stands beside a text and helps to find it: its author, its date, and the times it names.
import { attributeCounts, createDateWords } from './context.ts';
import type { Searchable } from './searchable.ts';
import { languageCode } from './stems.ts';
import { relativeTimes } from './time-expressions.ts';
import type { TimeSpan } from './time-expressions.ts';
import type { Analyse } from './tokens.ts';

/** A term beside the text and how much it counts, in `attributeUnit`s. */
export type Attribute = { readonly term: string; readonly count: number };

const dayMs = 86_400_000;
const remembered = 20_000;

/** Makes what tells the attributes of rows in one language. An author's days return, so they are remembered. */
export function createAttributes(analyse: Analyse, language: string): (row: Searchable) => readonly Attribute[] {
  const dateWords = createDateWords(language);
  const isEnglish = languageCode(language) === 'en';
  let known = new Map<string | null, Map<number, readonly Attribute[]>>();
  let knownDays = 0;

  function attributesOf(text: string, count: number): Attribute[] {
    return analyse(text).flatMap(({ stems, wholes }) => [...stems, ...wholes].map((term) => ({ term, count })));
  }

  function authorsDay({ author, occurredAt }: Searchable): readonly Attribute[] {
    const day = Math.floor(occurredAt.getTime() / dayMs);
    let days = known.get(author);
    const found = days?.get(day);
    if (found) return found;
    if (knownDays >= remembered) [known, knownDays, days] = [new Map(), 0, undefined];
    if (!days) known.set(author, (days = new Map()));
    const attributes = [
      ...attributesOf(author ?? '', attributeCounts.author),
      ...attributesOf(dateWords(occurredAt), attributeCounts.date),
    ];
    days.set(day, attributes);
    knownDays += 1;
    return attributes;
  }

  return (row) => {
    const attributes = authorsDay(row);
    const times = isEnglish ? relativeTimes(row.body, row.occurredAt) : [];
    if (times.length === 0) return attributes;
    return [...attributes, ...times.flatMap((span) => attributesOf(spanWords(span, dateWords), attributeCounts.date))];
  };
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** A day by all its words, a week or month by the month's name and year, a year by its number. */
function spanWords({ unit, start }: TimeSpan, dateWords: (date: Date) => string): string {
  if (unit === 'day') return dateWords(start);
  const year = String(start.getUTCFullYear());
  return unit === 'year' ? year : `${year} ${monthName.format(start)}`;
}
