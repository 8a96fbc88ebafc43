// The embedding of a query, within a time limit: a search never waits long for its embedder, nor fails with it.
import type { CallContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { readOperators } from '#platform/search';
import type { MeteredEmbedder } from './embedders.ts';

/** A text as a point in the space of one model. */
export type QueryVector = { space: string; vector: Float32Array };

/**
 * `meaning` is null when the text has no words of its own, or the embedder returned nothing; then `notice` has the
 * reason.
 */
export type AskedMeaning = { meaning: QueryVector | null; notice: string | null };

/** The call that searches: its person pays. */
type QueryAsker = Pick<CallContext, 'caller' | 'requestId'>;

/** Computes the embedding of a query. */
export type FindMeaning = (query: string, asker: QueryAsker) => Promise<AskedMeaning>;

type Options = {
  now(): Date;
  /** Called with failures, at most once for each pause. */
  onFailure(error: unknown): void;
  /** How long a search waits for its embedder. */
  limitMs?: number;
};

const usualLimitMs = 2_000;
const mostKept = 500;
const keptMs = 10 * 60_000;
/** After this many failures in a row the embedder gets no request for a while, so that searches are fast again. */
const mostFailures = 3;
const pauseMs = 30_000;
const notice =
  'The embedder did not answer in time, so this search used words only. Search again later for hits by meaning.';
const formatCapNotice = (resetsAt: unknown) =>
  `The daily cap on model costs is reached, so this search used words only. Hits by meaning return after ${String(resetsAt)}.`;
const nothing: AskedMeaning = { meaning: null, notice: null };

/**
 * Embeddings of queries are kept for ten minutes, because queries are often repeated, for the next page or with other
 * operators.
 */
export function createFindMeaning(
  getEmbedder: (asker: QueryAsker) => MeteredEmbedder,
  { now, onFailure, limitMs = usualLimitMs }: Options,
): FindMeaning {
  const kept = new Map<string, { meaning: Promise<QueryVector>; until: number }>();
  let failures = 0;
  let pausedUntil = 0;

  function ask(words: string, asker: QueryAsker): Promise<QueryVector> {
    const at = now().getTime();
    const known = kept.get(words);
    if (known && known.until > at) return known.meaning;
    const meaning = embedQuery(getEmbedder(asker), words, limitMs);
    meaning.catch(() => kept.delete(words));
    kept.delete(words);
    kept.set(words, { meaning, until: at + keptMs });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return meaning;
  }

  return async function meaningOfQuery(query, asker) {
    const words = withoutOperators(query);
    if (words === '') return nothing;
    if (pausedUntil > now().getTime()) return { meaning: null, notice };
    try {
      const meaning = await withTimeLimit(limitMs, ask(words, asker));
      failures = 0;
      return { meaning, notice: null };
    } catch (error) {
      // A cap of one person is not a failure of the embedder, so it does not pause it for others.
      if (error instanceof AppError && error.code === 'plan_limit')
        return { meaning: null, notice: formatCapNotice(error.details['resets_at']) };
      failures += 1;
      if (failures >= mostFailures) pausedUntil = now().getTime() + pauseMs;
      if (failures === 1 || failures >= mostFailures) onFailure(error);
      return { meaning: null, notice };
    }
  };
}

async function embedQuery(embedder: MeteredEmbedder, words: string, timeoutMs: number): Promise<QueryVector> {
  const patience = { attempts: 1, timeoutMs, isUrgent: true };
  const space = await embedder.space(patience);
  const [vector] = await embedder.embed([words], patience);
  if (!vector) throw new Error('an embedder gave no vector for a text');
  return { space: space.name, vector };
}

/** Excluded words do not belong to the meaning, and quotation marks have none. */
function withoutOperators(query: string): string {
  return readOperators(query).words.replaceAll(/["“”]/g, ' ').replaceAll(/\s+/g, ' ').trim();
}

async function withTimeLimit<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
