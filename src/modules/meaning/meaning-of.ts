import { memoizePerServer } from '#kernel/module';
import { embedderOf } from '#modules/usage';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { createMeaningOf, type MeaningOf } from '#platform/embeddings';

const noMeaning = 'the embedder did not answer, so that searches go by words alone';

/** The meaning of a query, for the server; null without an embedder. The person who searches pays. */
export const meaningOfServer = memoizePerServer((ground: Ground): MeaningOf | null => {
  const embedder = embedderOf(ground);
  const onFailure = (err: unknown) => ground.log.warn({ err }, noMeaning);
  return embedder && createMeaningOf((asker) => embedder.for(asker), { now, onFailure });
});
