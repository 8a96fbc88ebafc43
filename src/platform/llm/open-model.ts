// Opens a model with its provider's protocol. The first question loads the library, because most servers never ask one.
import type { LanguageModel } from 'ai';
import type { ModelSettings } from './model-settings.ts';
import type { LlmProvider } from './question.ts';

type Options = { baseURL: string; apiKey: string; fetch: typeof globalThis.fetch };

const openers: Readonly<Record<LlmProvider, (model: string, options: Options) => Promise<LanguageModel>>> = {
  async anthropic(model, options) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(options)(model);
  },
  async openai(model, options) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(options).responses(model);
  },
  async groq(model, options) {
    const { createGroq } = await import('@ai-sdk/groq');
    return createGroq(options)(model);
  },
  async 'openai-compatible'(model, { apiKey, ...options }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      ...options,
      name: 'llm',
      ...(apiKey && { apiKey }),
      supportsStructuredOutputs: true,
      includeUsage: true,
    });
    return provider(model);
  },
};

/** Options for some providers only: store nothing. */
const habits: Readonly<Partial<Record<LlmProvider, { providerOptions: { openai: { store: false } } }>>> = {
  openai: { providerOptions: { openai: { store: false } } },
};

/** The model, and the options for every question to its provider. All its requests use `fetch`. */
export async function openModel(settings: ModelSettings, fetch: typeof globalThis.fetch) {
  const { provider, model, baseUrl: baseURL, apiKey } = settings;
  // Passed even when empty, because the libraries would otherwise look for keys in the environment.
  const opened = await openers[provider](model, { baseURL, apiKey: apiKey ?? '', fetch });
  return { model: opened, ...habits[provider] };
}
