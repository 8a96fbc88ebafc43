import type { LlmProvider } from './question.ts';

/**
 * How one model is reached. `keySetting` and `modelSetting` are the names of the settings that an operator has to
 * change.
 */
export type ModelSettings = {
  provider: LlmProvider;
  model: string;
  baseUrl: string;
  apiKey: string | null;
  keySetting: string;
  modelSetting: string;
};

/** `fast` answers short turns, where it is set. */
export type LlmSettings = { main: ModelSettings; fast: ModelSettings | null };
