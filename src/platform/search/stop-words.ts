import * as lists from 'stopword';
import { fold } from './fold.ts';

/**
 * Words without a topic in English: articles, pronouns, auxiliaries, question words. Months and names are not among
 * them.
 */
const englishStopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can cannot could did do does doing done down during each either else ever few for from further get gets getting
  give given gives go goes going got had has have having he her here hers herself him himself his how however i if in
  into is it its itself just let like me might mine more most much must my myself neither no nor not now of off on once
  one only onto or other ought our ours ourselves out over own per quite rather really s same shall she should since so
  some still such t tell than that the their theirs them themselves then there these they this those though through thus
  to too under until up upon us very was we were what whatever when whenever where wherever whether which while who whoever
  whom whose why will with within without would yes yet you your yours yourself yourselves
  ain't aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt ive shouldnt thats theres wasnt werent whats
  wont wouldnt youre n't d ll m re ve`.split(/\s+/),
);

/** The lists of the library by ISO 639-1 code. */
const others: Readonly<Record<string, readonly string[]>> = {
  ar: lists.ara,
  ca: lists.cat,
  cs: lists.ces,
  da: lists.dan,
  de: lists.deu,
  es: lists.spa,
  eu: lists.eus,
  fi: lists.fin,
  fr: lists.fra,
  ga: lists.gle,
  hu: lists.hun,
  hy: lists.hye,
  it: lists.ita,
  ja: lists.jpn,
  ko: lists.kor,
  nl: lists.nld,
  no: lists.nob,
  pl: lists.pol,
  pt: lists.por,
  ro: lists.ron,
  ru: lists.rus,
  sl: lists.slv,
  sv: lists.swe,
  tr: lists.tur,
  uk: lists.ukr,
  zh: lists.zho,
};

/**
 * Words of a language, by its two-letter code, that are not worth finding; in the spelling of `fold`, in lower case.
 */
export function getStopWords(language: string): ReadonlySet<string> {
  if (language === 'en') return englishStopWords;
  return new Set((others[language] ?? []).map((word) => fold(word).toLowerCase()));
}
