// Determines which numbers of a query are years and days. Most are not: «port 2019», «order 2021 planks», «pier 7».
import { getLanguageCode } from './stems.ts';
import { getStopWords } from './stop-words.ts';

export type DateNumbers = {
  /** The numbers that are part of a date, as they are written. */
  readonly numbers: ReadonlySet<string>;
  /** Years without a month. */
  readonly years: readonly number[];
};

type Piece = {
  readonly word: string;
  readonly isNumber: boolean;
  readonly isCapitalized: boolean;
  readonly gap: string;
};

/** Dates in digits only, among all runs of digits and these characters. */
const digits = /[\d./-]+/g;
const numericDates = [
  /^\d{4}-\d{2}(?:-\d{2})?$/,
  /^\d{1,2}\.\d{1,2}\.\d{4}$/,
  /^\d{1,2}\/\d{1,2}\/\d{4}$/,
  /^\d{4}\/\d{1,2}\/\d{1,2}$/,
];
const piece = /\d+|\p{L}[\p{L}\p{M}]*/gu;
const [firstYear, lastYear] = [1500, 2199];
const ordinals = new Set('st nd rd th of de del di des the le la el den der am'.split(' '));

/** A number after one of these is a year. */
const yearCues = new Set(
  `year years anno early mid late spring summer autumn fall winter christmas easter fy
  jahr jahre jahres année annee an année año ano rok roku år jaar vuosi vuonna yıl год году года
  ปี năm tahun anul rik рік році έτος عام سنة שנת साल`.split(/\s+/),
);
/** A number after these is a year, unless a counted thing follows: «in 2019», but not «in 2019 steps». */
const placingCues = new Set(
  `in since during until till before after by from through throughout around circa between
  seit ab bis vor nach en depuis avant après desde hasta antes nel dal em sinds voor sedan före efter в с до после`.split(
    /\s+/,
  ),
);
/** Words before a time that are very short in their language, or are another word in other languages. */
const placingByLanguage: Readonly<Record<string, readonly string[]>> = {
  da: ['i'],
  nb: ['i'],
  no: ['i'],
  sv: ['i'],
  pl: ['w'],
  ro: ['în', 'in'],
  cs: ['v'],
  sk: ['v'],
};
const partsOfYear = new Set(
  'beginning start end middle close rest course half quarter spring summer autumn fall winter'.split(' '),
);
const joins = new Set('and to or until through und bis et à y hasta e и'.split(' '));
const yearSigns = new Set('г год году года ad ce roku yılı yılında yılının рік році року'.split(' '));
/** Such a character is directly after its number, and other words may follow it without a space. */
const eastAsianSign = /^[年년月월日일号號]/;
const partOfYear = /^[qh]$/;

const knownMonths = new Map<string, ReadonlySet<string>>();

/** The names and abbreviations of months in a language, and in English. */
function getMonthNames(language: string): ReadonlySet<string> {
  const code = getLanguageCode(language);
  const known = knownMonths.get(code);
  if (known) return known;
  const names = new Set<string>();
  for (const locale of new Set([code, 'en']))
    for (const month of ['long', 'short'] as const)
      for (let at = 0; at < 12; at += 1)
        for (const day of [undefined, 'numeric'] as const)
          for (const part of listMonthNameParts(locale, { month, day }, at))
            names.add(part.toLowerCase().replace(/\.$/, ''));
  knownMonths.set(code, names);
  return names;
}

/**
 * With a day, because in some languages the name then has another form. Empty for a language without names for them.
 */
function listMonthNameParts(
  locale: string,
  form: { readonly month: 'long' | 'short'; readonly day: 'numeric' | undefined },
  month: number,
): string[] {
  try {
    const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' });
    const parts = format.formatToParts(new Date(Date.UTC(2024, month, 1)));
    return parts.filter(({ type, value }) => type === 'month' && /^\p{L}/u.test(value)).map(({ value }) => value);
  } catch {
    return [];
  }
}

/** Finds the numbers of a query in one language that belong to dates. */
export function readDateNumbers(text: string, language: string): DateNumbers {
  if (!/\d/.test(text)) return { numbers: new Set(), years: [] };
  const numbers = new Set<string>();
  const rest = text.replace(digits, (run) => {
    const date = run.replace(/[./]$/, '');
    if (!numericDates.some((form) => form.test(date))) return run;
    for (const number of date.split(/[./-]/)) numbers.add(number);
    return ' ';
  });
  const months = getMonthNames(language);
  const pieces = splitDatePieces(rest);
  const years: number[] = [];
  let lastYearAt = -2;
  for (const [at, { word, isNumber }] of pieces.entries()) {
    if (!isNumber) continue;
    const isByMonth = months.has(findWordBefore(pieces, at, 3)) || months.has(findWordAfter(pieces, at));
    if (word.length <= 2 && (isByMonth || hasSign(pieces[at + 1]))) numbers.add(word);
    if (word.length !== 4 || Number(word) < firstYear || Number(word) > lastYear) continue;
    if (!isByMonth && !isJoined(pieces, at, lastYearAt) && !isYear(pieces, at, language)) continue;
    numbers.add(word);
    lastYearAt = at;
    if (!isByMonth) years.push(Number(word));
  }
  return { numbers, years };
}

function splitDatePieces(text: string): Piece[] {
  let end = 0;
  return Array.from(text.matchAll(piece), ({ 0: found, index }) => {
    const gap = text.slice(end, index);
    end = index + found.length;
    const isCapitalized = /^\p{Lu}\p{Ll}/u.test(found);
    return { word: found.toLowerCase(), isNumber: /^\d/.test(found), isCapitalized, gap };
  });
}

/** The first word before a position that is not part of a day, such as «March» in «March 7th, 2025». */
function findWordBefore(pieces: readonly Piece[], at: number, most: number): string {
  for (let place = at - 1; place >= Math.max(0, at - most); place -= 1) {
    const { word, isNumber } = pieces[place]!;
    if (!ordinals.has(word) && !(isNumber && word.length <= 2)) return word;
  }
  return '';
}

function findWordAfter(pieces: readonly Piece[], at: number): string {
  return pieces.slice(at + 1, at + 4).find(({ word }) => !ordinals.has(word))?.word ?? '';
}

/** Whether a year is part of a period, such as «from 2019 to 2021» or «since 2019-2021». */
function isJoined(pieces: readonly Piece[], at: number, lastYearAt: number): boolean {
  if (lastYearAt === at - 1) return /^\s?[-–—/,]\s?$/.test(pieces[at]!.gap);
  return lastYearAt === at - 2 && joins.has(pieces[at - 1]?.word ?? '');
}

function hasSign(after: Piece | undefined): boolean {
  return after !== undefined && after.gap === '' && eastAsianSign.test(after.word);
}

function isYear(pieces: readonly Piece[], at: number, language: string): boolean {
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  if (after && (yearSigns.has(after.word) || hasSign(after))) return true;
  if (after && partOfYear.test(after.word) && pieces[at + 2]?.isNumber) return true;
  // A sign before a number makes it another number: #2019, -2019, 1,2019.
  if (!before || !/^\s*\(?$/.test(pieces[at]!.gap)) return false;
  if (yearCues.has(before.word) || (before.isNumber && partOfYear.test(pieces[at - 2]?.word ?? ''))) return true;
  if (before.word === 'of') return [...partsOfYear, 'as'].includes(pieces[at - 2]?.word ?? '');
  if (pieces[at]!.gap === '') return false;
  const places = placingCues.has(before.word) || placingByLanguage[getLanguageCode(language)]?.includes(before.word);
  return Boolean(places) && !isCounted(after, language);
}

/** Whether a counted thing follows directly. A capitalised name does not count: «in 2019 Grace moved». */
function isCounted(after: Piece | undefined, language: string): boolean {
  if (!after || !/^\s+$/.test(after.gap) || after.isCapitalized) return false;
  return !getStopWords('en').has(after.word) && !getStopWords(getLanguageCode(language)).has(after.word);
}
