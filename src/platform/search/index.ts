export { createSearch } from './search.ts';
export type { Search, SearchOptions } from './search.ts';
export type {
  Boost,
  SearchAnswer,
  SearchField,
  SearchHit,
  SearchQuery,
  SimilarAnswer,
  SimilarQuery,
} from './search-query.ts';
export { createAnalyser } from './tokens.ts';
export type { Analyse, Token } from './tokens.ts';
export { languageCode } from './stems.ts';
export { codeOf } from './vector-code.ts';
export { readOperators } from './operators.ts';
export { readTime } from './time-expressions.ts';
export type { TimeSpan } from './time-expressions.ts';
