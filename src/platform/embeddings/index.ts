export { cosine } from './cosine.ts';
export {
  createEmbedders,
  type Embedders,
  type EmbedderSettings,
  type EmbeddingMeter,
  type MeteredEmbedder,
} from './embedders.ts';
export { TextRefused, type Space } from './embedder.ts';
export { createMeaningOf, type AskedMeaning, type Meaning, type MeaningOf } from './query-meaning.ts';
