import { ConfigError } from './config-error.ts';
import type { Settings } from './settings.ts';

type Provider = NonNullable<Settings['THALAMUS_LLM_PROVIDER']>;

/** A language model and its address. The last two fields name the settings with which an operator changes it. */
type ModelConfig = {
  provider: Provider;
  model: string;
  baseUrl: string;
  apiKey: string | null;
  keySetting: string;
  modelSetting: string;
};

/** The language model, and a second one for short turns if set. */
export type LlmConfig = { main: ModelConfig; fast: ModelConfig | null };

type Facts = { baseUrl: string; model: string; fastModel?: string };

/** The address of each provider, and its default model. */
const providers: Readonly<Record<Exclude<Provider, 'openai-compatible'>, Facts>> = {
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-5-5' },
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-6.1-terra' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', model: 'openai/gpt-oss-120b', fastModel: 'openai/gpt-oss-20b' },
};

/**
 * Reads the settings of the language models; null when none is configured. Throws `ConfigError` for incomplete
 * settings.
 */
export function readLlmConfig(values: Settings): LlmConfig | null {
  const main = readMainModel(values);
  return main && { main, fast: readFastModel(values, main) };
}

function readMainModel(values: Settings): ModelConfig | null {
  const { THALAMUS_LLM_BASE_URL: baseUrl, THALAMUS_LLM_MODEL: model, THALAMUS_LLM_API_KEY: ownKey } = values;
  const provider = values.THALAMUS_LLM_PROVIDER ?? findProviderByUrl(baseUrl);
  if (!provider) {
    if (!model && !ownKey && !values.THALAMUS_LLM_FAST_MODEL) return null;
    throw createMissingSettingError('THALAMUS_LLM_PROVIDER or THALAMUS_LLM_BASE_URL, which say where the model is');
  }
  const isGroqKey = provider === 'groq' && !ownKey && values.GROQ_API_KEY !== undefined;
  const apiKey = (isGroqKey ? values.GROQ_API_KEY : ownKey) ?? null;
  const names = {
    keySetting: isGroqKey ? 'GROQ_API_KEY' : 'THALAMUS_LLM_API_KEY',
    modelSetting: 'THALAMUS_LLM_MODEL',
  };
  if (provider === 'openai-compatible') {
    if (!baseUrl || !model)
      throw createMissingSettingError('THALAMUS_LLM_BASE_URL and THALAMUS_LLM_MODEL, both of them');
    return { provider, model, baseUrl, apiKey, ...names };
  }
  if (!apiKey) throw createMissingSettingError(`THALAMUS_LLM_API_KEY, the key for ${provider}`);
  const facts = providers[provider];
  return { provider, model: model ?? facts.model, baseUrl: baseUrl ?? facts.baseUrl, apiKey, ...names };
}

function readFastModel(values: Settings, main: ModelConfig): ModelConfig | null {
  const { THALAMUS_LLM_FAST_MODEL: model, GROQ_API_KEY: apiKey } = values;
  const modelSetting = 'THALAMUS_LLM_FAST_MODEL';
  if (!apiKey) return model ? { ...main, model, modelSetting } : null;
  const { baseUrl, fastModel = '' } = providers.groq;
  return {
    provider: 'groq',
    model: model ?? fastModel,
    baseUrl: values.THALAMUS_GROQ_BASE_URL ?? baseUrl,
    apiKey,
    keySetting: 'GROQ_API_KEY',
    modelSetting,
  };
}

/** The provider that the address belongs to; other addresses use the OpenAI protocol. */
function findProviderByUrl(baseUrl: string | undefined): Provider | null {
  if (!baseUrl) return null;
  const host = new URL(baseUrl).host;
  const found = Object.entries(providers).find(([, facts]) => new URL(facts.baseUrl).host === host);
  return (found?.[0] as Provider | undefined) ?? 'openai-compatible'; // the keys of the table are providers
}

function createMissingSettingError(what: string): ConfigError {
  return new ConfigError(`The settings of the language model are incomplete. Set ${what}.`);
}
