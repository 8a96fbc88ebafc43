import { memoizePerServer } from '#kernel/module';
import { getMeteredEmbedders } from '#modules/usage';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { createFindMeaning, type FindMeaning } from '#platform/embeddings';

const noMeaning = 'the embedder did not answer, so searches use words only';

/** The embedding of a query, for the server; null without an embedder. The person who searches pays. */
export const getFindMeaning = memoizePerServer((ground: Ground): FindMeaning | null => {
  const embedder = getMeteredEmbedders(ground);
  const onFailure = (err: unknown) => ground.log.warn({ err }, noMeaning);
  return embedder && createFindMeaning((asker) => embedder.for(asker), { now, onFailure });
});
