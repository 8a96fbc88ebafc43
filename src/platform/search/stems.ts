import snowball from 'snowball-stemmers';

/** ISO 639-1 codes of the languages that can be stemmed. Other languages are searched by their words as written. */
const stemmers: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

export type StemWord = (word: string) => string;

/** A longer string is not a word of any language, and a stemmer would need milliseconds for it. */
const longestWord = 64;

/** The language's two-letter code, for any spelling of it: `en-GB`, `EN`, `english`. Anything unknown is kept, in lower case. */
export function getLanguageCode(language = 'en'): string {
  const asked = language.toLowerCase();
  const named = Object.keys(stemmers).find((code) => stemmers[code] === asked);
  return named ?? asked.split(/[-_]/)[0] ?? 'en';
}

/** The Snowball stemmer of a language (https://snowballstem.org), or the identity where there is none. */
export function getStemmer(language: string): StemWord {
  const name = stemmers[getLanguageCode(language)];
  if (!name) return (word) => word;
  const stemmer = snowball.newStemmer(name);
  return (word) => (word.length > longestWord ? word : stemmer.stem(word));
}
