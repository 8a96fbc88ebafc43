import type { Egress } from '#platform/egress';
import type { Embedder } from './embedder.ts';
import { createHttpEmbedder, type HttpEmbedderSettings } from './http-embedder.ts';
import { createLocalEmbedder, type LocalEmbedderSettings } from './local-embedder.ts';

export { cosine } from './cosine.ts';
export { TextRefused, type Embedder, type Space } from './embedder.ts';
export { createMeaningOf, type AskedMeaning, type Meaning, type MeaningOf } from './query-meaning.ts';

export type EmbedderSettings = ({ kind: 'http' } & HttpEmbedderSettings) | ({ kind: 'local' } & LocalEmbedderSettings);

/** Opens the embedder of the settings; null when none is configured. Nothing is loaded before its first use. */
export function createEmbedder(egress: Egress, settings: EmbedderSettings | null): Embedder | null {
  if (!settings) return null;
  return settings.kind === 'http' ? createHttpEmbedder(egress, settings) : createLocalEmbedder(settings);
}
