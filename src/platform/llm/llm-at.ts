// Opens models at an address, for this folder's tests.
import { createEgress } from '#platform/egress';
import { createLlm, type LlmProvider, type Meter } from './index.ts';

export const testKey = 'llm-secret-key-0123456789';

/** Uses the given provider's protocol at an address; `fast` is another model at the same address. */
export function createLlmAt(
  baseUrl: string,
  provider: LlmProvider = 'openai-compatible',
  fast?: string,
  meter: Meter = openMeter,
) {
  const egress = createEgress({ allow: [] });
  const names = { keySetting: 'THALAMUS_LLM_API_KEY', modelSetting: 'THALAMUS_LLM_MODEL' };
  const main = { provider, model: modelOf[provider], baseUrl, apiKey: testKey, ...names };
  const llm = createLlm(egress, { main, fast: fast === undefined ? null : { ...main, model: fast } });
  if (!llm) throw new Error('there is a model');
  return { ...llm.by(meter), getModel: llm.getModel, close: () => egress.close() };
}

const modelOf: Readonly<Record<LlmProvider, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-terra',
  groq: 'openai/gpt-oss-120b',
  'openai-compatible': 'llama3.1',
};

/** Allows every question. */
const openMeter: Meter = { begin: async () => ({ spent: () => {}, end: async () => {} }) };
