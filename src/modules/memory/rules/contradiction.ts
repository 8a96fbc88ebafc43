// Detects contradictions between statements, with a few readable rules. Other contradictions are not detected.
import { listStems, listMeaningfulWords } from './topics.ts';

/** Longer texts contain too many statements for these rules. */
const longestStatement = 60;
/** Two statements have the same subject when they share at least this part of the words of the shorter. */
const samePart = 0.6;

const negations =
  /\b(not|no longer|never|cannot|can['’]t|won['’]t|don['’]t|doesn['’]t|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|shouldn['’]t|mustn['’]t|nobody|neither|stopped|any ?more|without)\b|\bno\b(?! (one|longer|later|less|more|fewer)\b)/giu;
const replaced =
  /\b(?:instead of|rather than|no longer (?:use|uses|using)?|not any ?more|replac(?:es|ed|ing)|(?:switched|switching|moved|moving|migrated|migrating) (?:away )?from|dropped|stopped using|got rid of|retired|in place of)\s+(?:the |our |a |an )?((?:[\p{L}\p{N}._/-]+\s?){1,4})/giu;
/** Words before a number that is only a name: with another number they name another thing. */
const labels =
  /\b(?:invoice|ticket|order|room|issue|version|number|no|pr|sprint|phase|step|page|chapter|gate|line|case|bug|release|floor|batch|part|item|customer|account|week|lot|track|memory|task|question|level|unit|model|team|server|node|shard|region|flight|platform|exit|building|apartment|house|street|day|round|draft|option|plan|group|class|section|article|paragraph|q|v)\.?\s*#?$/iu;
const quarterOrYear = /^(?:19|20)\d\d$/;

const opposites: readonly (readonly [string, string])[] = [
  ['enabled', 'disabled'], ['enable', 'disable'], ['allowed', 'forbidden'], ['allowed', 'prohibited'], ['allowed', 'banned'],
  ['open', 'closed'], ['accepts', 'rejects'], ['accepted', 'rejected'], ['approved', 'rejected'], ['approved', 'declined'],
  ['included', 'excluded'], ['increase', 'decrease'], ['increased', 'decreased'], ['rose', 'fell'], ['grew', 'shrank'],
  ['start', 'stop'], ['public', 'private'], ['required', 'optional'], ['mandatory', 'optional'], ['likes', 'dislikes'],
  ['loves', 'hates'], ['likes', 'hates'], ['always', 'never'], ['succeeded', 'failed'], ['passes', 'fails'], ['cheap', 'expensive'],
  ['fast', 'slow'], ['active', 'inactive'], ['available', 'unavailable'], ['possible', 'impossible'], ['internal', 'external'],
  ['manual', 'automatic'], ['manually', 'automatically'], ['synchronous', 'asynchronous'], ['won', 'lost'], ['hired', 'fired'],
  ['free', 'paid'], ['safe', 'unsafe'], ['valid', 'invalid'], ['joined', 'left'], ['morning', 'afternoon'], ['morning', 'evening'],
  ['early', 'late'], ['empty', 'full'], ['online', 'offline'], ['remote', 'onsite'], ['single', 'married'], ['vegetarian', 'meat'],
  ['before', 'after'], ['weekly', 'monthly'], ['daily', 'weekly'], ['daily', 'monthly'], ['quarterly', 'monthly'], ['hot', 'cold'],
]; // prettier-ignore
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = 'January February March April May June July August September October November December'.split(' ');
const colours = 'red blue green yellow black white orange purple grey gray brown pink'.split(' ');
/** Words of one class exclude each other: a statement with one of them denies the others. */
const classes = [weekdays, months, colours].map((words) => new Set(words.map((word) => word.toLowerCase())));
const values = listStems([...opposites.flat(), ...classes.flatMap((words) => [...words])].join(' '));
/** Verbs that allow only one value, so that another value contradicts. */
const singleValued =
  /\b(is|are|will be|lives?|sits?|works? (at|for)|belongs? to|reports? to|starts?|ends?|happens?|takes place|moved|named|called|set to|defaults? to|due|owner|leads?|hosted|stored|written in|runs? on|based in)\b/i;

type Statement = { text: string; stems: Set<string>; words: string[]; numbers: Number[] };
type Number = { value: string; unit: string; isLabel: boolean };

/** A longer text makes more than one statement. */
const longestText = 1_000;

/** Kinds of detected contradictions: what the newer statement does to the older. */
export const contradictionKinds = ['replacement', 'number', 'opposite', 'negation', 'value'] as const;

/** `reason`: why the newer statement contradicts the older, as a sentence. */
export type Contradiction = { readonly kind: (typeof contradictionKinds)[number]; readonly reason: string };

/** How the newer statement contradicts the older; null when both can be true. */
export function findContradiction(newer: string, older: string): Contradiction | null {
  if (newer.length > longestText || older.length > longestText) return null;
  const [now, before] = [parseStatement(newer), parseStatement(older)];
  if (!now.stems.size || !before.stems.size) return null;
  if (now.stems.size > longestStatement || before.stems.size > longestStatement) return null;
  const switched = findReplacedText(now, before);
  if (switched) return { kind: 'replacement', reason: `It says that «${switched}» was replaced.` };
  if (hasOtherLabels(now, before) || !areAboutTheSame(now, before)) return null;
  const [addedWords, removedWords] = [listOwnStems(now, before), listOwnStems(before, now)];
  return (
    findChangedNumber(now, before, addedWords, removedWords) ??
    findOpposite(now, before, addedWords, removedWords) ??
    findSwitchedValue(now, before, addedWords, removedWords)
  );
}

/** The share of the shorter text's words that the other has too, 0 to 1; and the number of these words. */
export function countSharedWords(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): { share: number; count: number } {
  const count = [...one].filter((word) => other.has(word)).length;
  return { share: count / Math.max(1, Math.min(one.size, other.size)), count };
}

function parseStatement(text: string): Statement {
  const numbers = parseNumbers(text);
  const said = new Set(numbers.map(({ value }) => value));
  const words = listMeaningfulWords(text).filter((word) => !/^[\d.,:%]+$/.test(word));
  const stems = new Set([...listStems(words.join(' '))].filter((stem) => !said.has(stem)));
  return { text, stems, words, numbers };
}

/** A label comes directly before its number, and labels are no longer than this. */
const labelCharacters = 40;

function parseNumbers(text: string): Number[] {
  return [...text.matchAll(/(?<![\p{L}\d_-])([$€£#]?)(\d+(?:[.,:]\d+)*)\s?(%|[\p{L}]+)?/gu)].map((found) => {
    const [, sign = '', value = '', unit = ''] = found;
    const before = text.slice(Math.max(0, found.index - labelCharacters), found.index);
    return {
      value: value.replaceAll(',', ''),
      unit: sign || unit.toLowerCase(),
      isLabel: sign === '#' || labels.test(before.trimEnd()),
    };
  });
}

function without(words: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...words].filter((word) => !others.has(word)));
}

function listOwnStems(one: Statement, other: Statement): string[] {
  return [...without(one.stems, other.stems)];
}

/** Words for values, such as a weekday, are ignored here, because only the subjects are compared. */
function areAboutTheSame(now: Statement, before: Statement): boolean {
  const [one, other] = [without(now.stems, values), without(before.stems, values)];
  const { share, count } = countSharedWords(one, other);
  return share >= samePart && (count >= 2 || (count === 1 && one.size <= 2 && other.size <= 2));
}

/** «Invoice 12» and «invoice 13», or revenue in 2024 and in 2025, are different subjects. */
function hasOtherLabels(now: Statement, before: Statement): boolean {
  const named = ({ numbers }: Statement) =>
    numbers.filter(({ value, isLabel }) => isLabel || quarterOrYear.test(value)).map(({ value }) => value);
  const [one, other] = [named(now), named(before)];
  const others = (numbers: Statement) => numbers.numbers.some(({ value }) => !named(numbers).includes(value));
  const isOnlyAYear = !others(now) && !others(before) && now.numbers.every(({ isLabel }) => !isLabel);
  if (isOnlyAYear) return false;
  return one.some((value) => !other.includes(value)) && other.some((value) => !one.includes(value));
}

function findReplacedText(now: Statement, before: Statement): string | null {
  for (const [, what = ''] of now.text.matchAll(replaced)) {
    const [first = ''] = what.trim().split(/\s+(?:and|to|with|for|in|on|as|by|at|because|since)\b|[,.;]/u);
    const stems = listStems(first);
    if (!stems.size || ![...stems].every((stem) => before.stems.has(stem))) continue;
    const { count } = countSharedWords(now.stems, before.stems);
    if (count > stems.size && isNegated(before.text) === false) return first.trim();
  }
  return null;
}

function findChangedNumber(
  now: Statement,
  before: Statement,
  addedWords: string[],
  removedWords: string[],
): Contradiction | null {
  if (!now.numbers.length || now.numbers.length !== before.numbers.length) return null;
  if (addedWords.length > 1 || removedWords.length > 1) return null;
  const changed = now.numbers.flatMap((number, at) => {
    const other = before.numbers[at];
    return other && other.value !== number.value ? [{ number, other }] : [];
  });
  const [only] = changed;
  if (!only || changed.length > 1 || only.number.isLabel) return null;
  const { number, other } = only;
  const isSameUnit =
    number.unit === other.unit || without(listStems(number.unit), listStems(other.unit)).size === 0 || !number.unit;
  return isSameUnit ? { kind: 'number', reason: `It says ${number.value} where ${other.value} was said.` } : null;
}

function findOpposite(
  now: Statement,
  before: Statement,
  addedWords: string[],
  removedWords: string[],
): Contradiction | null {
  for (const pair of opposites) {
    for (const [one, other] of [pair, pair.toReversed()]) {
      if (one && other && has(now, one) && has(before, other) && !has(before, one) && !has(now, other)) {
        if (isNegated(now.text) === isNegated(before.text) || one === 'never' || other === 'never')
          return addedWords.length <= 3 && removedWords.length <= 3
            ? { kind: 'opposite', reason: `It says «${one}» where «${other}» was said.` }
            : null;
      }
    }
  }
  const hasOtherNumbers = now.numbers.some(({ value }) => !before.numbers.some((each) => each.value === value));
  if (hasOtherNumbers || addedWords.length > 2 || removedWords.length > 2) return null;
  if (isNegated(now.text) === isNegated(before.text)) return null;
  const reason = isNegated(now.text) ? 'It denies what was said.' : 'It affirms what was denied.';
  return { kind: 'negation', reason };
}

function findSwitchedValue(
  now: Statement,
  before: Statement,
  addedWords: string[],
  removedWords: string[],
): Contradiction | null {
  if (now.numbers.length !== before.numbers.length) return null;
  const [one, other] = [findOwnWord(now, before), findOwnWord(before, now)];
  if (!one || !other || addedWords.length > 2 || removedWords.length > 2) return null;
  const sameClass = classes.some((words) => words.has(one.toLowerCase()) && words.has(other.toLowerCase()));
  const contradiction: Contradiction = { kind: 'value', reason: `It says ${one} where ${other} was said.` };
  if (sameClass) return addedWords.length <= 1 && removedWords.length <= 1 ? contradiction : null;
  const areNames = isName(one) && isName(other);
  if (!areNames || !singleValued.test(now.text) || !singleValued.test(before.text)) return null;
  if (now.words[0] === one || before.words[0] === other) return null;
  return contradiction;
}

/** The first word of a statement that the other does not have. */
function findOwnWord(one: Statement, other: Statement): string | undefined {
  return one.words.find((word) => ![...listStems(word)].some((stem) => other.stems.has(stem)));
}

function isName(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

function has({ text }: Statement, word: string): boolean {
  return new RegExp(String.raw`\b${word}\b`, 'i').test(text);
}

/** Two negations cancel each other out. */
function isNegated(text: string): boolean {
  return (text.match(negations)?.length ?? 0) % 2 === 1;
}
