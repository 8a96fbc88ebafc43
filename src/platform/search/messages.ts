import type { PoolConfig } from 'pg';
import type { PassageAnswer, PassageQuery } from './passage-indexes.ts';
import type { SearchAnswer, SearchQuery, SimilarAnswer, SimilarQuery } from './search-query.ts';

/** The start data of the worker. `connection` must be plain data, since it is copied into the thread. */
export type WorkerSettings = {
  readonly connection: PoolConfig;
  readonly memoryMb: number;
  /** From `createMarks`, one for each thread. */
  readonly marks: SharedArrayBuffer;
  /** Rows that ended a thread before. */
  readonly skippedRows: readonly string[];
};

/** The calls that a worker answers. */
export type Calls = {
  find: { query: SearchQuery; answer: SearchAnswer };
  similar: { query: SimilarQuery; answer: SimilarAnswer };
  passages: { query: PassageQuery; answer: PassageAnswer };
};

export type Request = {
  [Name in keyof Calls]: { number: number; call: Name; query: Calls[Name]['query'] };
}[keyof Calls];

/** The progress of loading a brain for its first search. `total` is null while it is unknown. */
export type LoadProgress = { readonly brainId: string; readonly loaded: number; readonly total: number | null };

export type Response =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly failure: { readonly message: string; readonly stack?: string } };

/** A message that the thread sends unasked; null: the brain is loaded. */
export type Notice = { readonly brainId: string; readonly progress: LoadProgress | null };
