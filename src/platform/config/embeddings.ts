import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import type { Settings } from './settings.ts';

/** Which embedder to use: one behind an address, or one on this machine. */
export type EmbeddingsConfig =
  | { kind: 'http'; baseUrl: string; model: string; apiKey: string | null; dimensions: number | null }
  | { kind: 'local'; folder: string; dimensions: number | null };

const usualModel = 'text-embedding-3-small';
const localPrefix = 'local:';

/**
 * Reads the settings of the embedder; null when none is configured. Throws `ConfigError` for settings that contradict
 * each other.
 */
export function readEmbeddingsConfig(values: Settings): EmbeddingsConfig | null {
  const {
    THALAMUS_EMBEDDINGS_BASE_URL: baseUrl,
    THALAMUS_EMBEDDINGS_MODEL: model,
    THALAMUS_EMBEDDINGS_API_KEY: apiKey = null,
    THALAMUS_EMBEDDINGS_DIMENSIONS: dimensions = null,
    THALAMUS_EMBEDDINGS_MODEL_PATH: path,
  } = values;
  const folder = model?.startsWith(localPrefix) ? model.slice(localPrefix.length) : path;
  if (folder !== undefined) {
    if (baseUrl)
      throw createContradictionError('an address (THALAMUS_EMBEDDINGS_BASE_URL) and a local model are set. Unset one');
    if (model && path)
      throw createContradictionError('THALAMUS_EMBEDDINGS_MODEL and …_MODEL_PATH are both set. Unset one');
    return { kind: 'local', folder: resolve(folder), dimensions };
  }
  if (baseUrl) return { kind: 'http', baseUrl, model: model ?? usualModel, apiKey, dimensions };
  if (model ?? apiKey ?? dimensions) {
    throw createContradictionError(
      'THALAMUS_EMBEDDINGS_BASE_URL is missing. For OpenAI it is https://api.openai.com/v1',
    );
  }
  return null;
}

function createContradictionError(what: string): ConfigError {
  return new ConfigError(`The settings of the embedder cannot be used: ${what}.`);
}
