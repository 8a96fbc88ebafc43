import type { Operation } from '#kernel/operation';
import { embeddingStatus } from './operations/embedding-status.ts';

export { searchingWithMeaning } from './search-with-meaning.ts';
export { createEmbedding, type Embedding } from './embedding.ts';

/** What callers can ask about finding by meaning. `model`: the embedder's, or null when none is set. */
export function meaningOperations({ model }: { model: string | null }): Operation[] {
  return [embeddingStatus(model)];
}
