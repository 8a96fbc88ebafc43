import type { SearchableKind } from './searchable.ts';

export type SearchQuery = {
  readonly workspaceId: string;
  /** The brains to search. The calling module checks whether the caller may read them. */
  readonly brainIds: readonly string[];
  /** Words, `"exact phrase"`, `-word`, `-"phrase"`. */
  readonly text: string;
  /** Whether «on Friday» in the text counts as ordinary words and not as a time: for a text that is not a question. */
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
  /** Both in the clock of the person who asks, as if it were UTC, for whole days. With both bounds, or none. */
  readonly clock?: { readonly since?: Date; readonly until?: Date };
  /** A source or levels of it (`make:gmail`, `gmail`); `human`: written here by a person; `auto_ingested`: not. */
  readonly source?: string;
  /** The person who asks: documents of their own connectors count more. */
  readonly ownerId?: string;
  readonly limit: number;
  readonly offset: number;
  /** The embedding of the text. With it, texts of similar meaning are found, too. */
  readonly meaning?: { readonly space: string; readonly vector: Float32Array };
};

/** The text to compare with one brain: similarity is a share of the text's own score there. Operators are not read. */
export type SimilarQuery = Pick<SearchQuery, 'workspaceId' | 'text' | 'limit'> & { readonly brainId: string };

export type SearchField = 'title' | 'labels' | 'body' | 'author' | 'date' | 'thread' | 'meaning';

export type SearchHit = {
  readonly id: string;
  readonly brainId: string;
  readonly kind: SearchableKind;
  /** Only the beginning of its text is indexed, because it is very long. */
  readonly isTruncated: boolean;
  readonly score: number;
  /** The cosine between its embedding and the query's; null when one of them is unknown. */
  readonly similarity: number | null;
  /** The query's words in this hit, and where they are; `thread`: in a neighbouring turn, `meaning`: in no word. */
  readonly why: {
    readonly terms: string[];
    readonly fields: SearchField[];
    /** The neighbouring turns with such words. */
    readonly nearby: string[];
  };
};

export type SearchAnswer = {
  /** Best first. */
  readonly hits: SearchHit[];
  /** The total number of hits, without limit and offset. */
  readonly total: number;
  /**
   * The probability that the best hits contain an answer, 0 to 1. See `confidence.ts`. For a hit by embeddings it is
   * how much it stands out.
   */
  readonly confidence: number;
  /** A note when the search could not use every part of the query. */
  readonly notice?: string;
};

export type SimilarAnswer = SearchAnswer & {
  /** The text's score if it were in the brain itself: a hit's score is read as a share of this. */
  readonly selfScore: number;
};
