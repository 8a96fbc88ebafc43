import type { SearchableKind } from './searchable.ts';

export type SearchQuery = {
  readonly workspaceId: string;
  /** The brains to search. Whether the caller may is for the caller's caller to know. */
  readonly brainIds: readonly string[];
  /** Words, `"exact phrase"`, `-word`, `-"phrase"`. */
  readonly text: string;
  readonly kinds?: readonly SearchableKind[];
  readonly types?: readonly string[];
  readonly saliences?: readonly string[];
  /** Words of the author's name. */
  readonly author?: string;
  /** From this moment on. */
  readonly since?: Date;
  /** Before this moment. */
  readonly until?: Date;
  /** A source or levels of it (`make:gmail`, `gmail`); `human`: written here by a person; `auto_ingested`: not. */
  readonly source?: string;
  /** Who asks: what their own connectors stored counts for more. */
  readonly ownerId?: string;
  readonly limit: number;
  readonly offset: number;
  /** What the text means, by an embedder. With it what means the like is found too. */
  readonly meaning?: { readonly space: string; readonly vector: Float32Array };
};

/** Text to find the like of in one brain, since likeness is a share of what the text would score there. Operators are not read. */
export type SimilarQuery = Pick<SearchQuery, 'workspaceId' | 'text' | 'limit'> & { readonly brainId: string };

export type SearchField = 'title' | 'labels' | 'body' | 'author' | 'date' | 'thread' | 'meaning';

export type SearchHit = {
  readonly id: string;
  readonly brainId: string;
  readonly kind: SearchableKind;
  readonly score: number;
  /** The cosine between what it means and what the query means; null when one of them is not known. */
  readonly similarity: number | null;
  /** The query's words that led here, and where they stand; `thread` is in a turn nearby, `meaning` in no word. */
  readonly why: {
    readonly terms: string[];
    readonly fields: SearchField[];
    /** The turns nearby that hold such words. */
    readonly nearby: string[];
  };
};

export type SearchAnswer = {
  /** Best first. */
  readonly hits: SearchHit[];
  /** How many there are without limit and offset. */
  readonly total: number;
  /**
   * How probable it is that the best hits hold an answer, 0 to 1. See `confidence.ts`. Of a hit by meaning it is how far
   * it stands out.
   */
  readonly confidence: number;
  /** A note if the search could not use everything that was asked. */
  readonly notice?: string;
};

export type SimilarAnswer = SearchAnswer & {
  /** What the text would score if it stood in the brain itself: a hit's score is read as a share of this. */
  readonly selfScore: number;
};
