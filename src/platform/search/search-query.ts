import type { SearchableKind } from './searchable.ts';

export type SearchQuery = {
  readonly workspaceId: string;
  /** The brains to search. The calling module checks whether the caller may. */
  readonly brainIds: readonly string[];
  /** Words, `"exact phrase"`, `-word`, `-"phrase"`. */
  readonly text: string;
  /** Whether «on Friday» in the text is words like others, and ranks nothing by when it occurred: of a text that is no question. */
  readonly ignoresTimes?: boolean;
  readonly kinds?: readonly SearchableKind[];
  readonly types?: readonly string[];
  readonly saliences?: readonly string[];
  /** Words of the author's name. */
  readonly author?: string;
  /** From this time on. */
  readonly since?: Date;
  /** Before this moment. */
  readonly until?: Date;
  /** Both on the clock of the person who asks, as if it were UTC, for whole days. With both bounds, or none. */
  readonly clock?: { readonly since?: Date; readonly until?: Date };
  /** A source or levels of it (`make:gmail`, `gmail`); `human`: written here by a person; `auto_ingested`: not. */
  readonly source?: string;
  /** The person who asks: documents of their own connectors count for more. */
  readonly ownerId?: string;
  readonly limit: number;
  readonly offset: number;
  /** The meaning of the text, by an embedder. With it, texts of similar meaning are found too. */
  readonly meaning?: { readonly space: string; readonly vector: Float32Array };
};

/**
 * The text to compare with one brain, since likeness is a share of the text's own score there. Operators are not read.
 */
export type SimilarQuery = Pick<SearchQuery, 'workspaceId' | 'text' | 'limit'> & { readonly brainId: string };

export type SearchField = 'title' | 'labels' | 'body' | 'author' | 'date' | 'thread' | 'meaning';

export type SearchHit = {
  readonly id: string;
  readonly brainId: string;
  readonly kind: SearchableKind;
  /** Only the beginning of its text is indexed, since it is very long. */
  readonly isTruncated: boolean;
  readonly score: number;
  /** The cosine between its meaning and the query's; null when one of them is unknown. */
  readonly similarity: number | null;
  /** The query's words in this hit, and their places; `thread` is in a turn nearby, `meaning` in no word. */
  readonly why: {
    readonly terms: string[];
    readonly fields: SearchField[];
    /** The turns nearby with such words. */
    readonly nearby: string[];
  };
};

export type SearchAnswer = {
  /** Best first. */
  readonly hits: SearchHit[];
  /** How many there are without limit and offset. */
  readonly total: number;
  /**
   * The probability that the best hits contain an answer, 0 to 1. See `confidence.ts`. For a hit by meaning it is how
   * much it stands out.
   */
  readonly confidence: number;
  /** A note if the search could not use every part of the query. */
  readonly notice?: string;
};

export type SimilarAnswer = SearchAnswer & {
  /** The text's score if it were in the brain itself: a hit's score is read as a share of this. */
  readonly selfScore: number;
};
