export { computeCosine } from './cosine.ts';
export {
  createEmbedders,
  type Embedders,
  type EmbedderSettings,
  type EmbeddingMeter,
  type MeteredEmbedder,
} from './embedders.ts';
export { TextRefused, type Space } from './embedder.ts';
export { createFindMeaning, type AskedMeaning, type QueryVector, type FindMeaning } from './query-meaning.ts';
