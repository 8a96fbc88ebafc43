import { expect, test } from 'vitest';
import { ConfigError, createConfiguration } from './index.ts';

const { readConfig } = createConfiguration([]);

const readLlm = (environment: Record<string, string>) => readConfig(environment).llm;

test('without settings there is no language model, even with a key for Groq', () => {
  expect(readLlm({})).toBeNull();
  expect(readLlm({ GROQ_API_KEY: 'gsk_1' })).toBeNull();
});

test('an address and a model are enough for a server with the OpenAI protocol', () => {
  const set = { THALAMUS_LLM_BASE_URL: 'http://127.0.0.1:11434/v1/', THALAMUS_LLM_MODEL: 'llama3.1' };
  expect(readLlm(set)).toMatchObject({
    main: { provider: 'openai-compatible', model: 'llama3.1', baseUrl: 'http://127.0.0.1:11434/v1', apiKey: null },
    fast: null,
  });
});

test.for([
  ['anthropic', 'https://api.anthropic.com/v1'],
  ['openai', 'https://api.openai.com/v1'],
  ['groq', 'https://api.groq.com/openai/v1'],
])('the provider %s needs only a key, and its address identifies it', ([provider = '', baseUrl = '']) => {
  const named = readLlm({ THALAMUS_LLM_PROVIDER: provider, THALAMUS_LLM_API_KEY: 'k' });
  expect(named?.main).toMatchObject({ provider, baseUrl, apiKey: 'k', model: expect.stringMatching(/./) });
  expect(readLlm({ THALAMUS_LLM_BASE_URL: baseUrl, THALAMUS_LLM_API_KEY: 'k' })).toEqual(named);
});

test('a key for Groq sends short turns to Groq', () => {
  const set = { THALAMUS_LLM_PROVIDER: 'anthropic', THALAMUS_LLM_API_KEY: 'k', GROQ_API_KEY: 'gsk_1' };
  expect(readLlm(set)).toMatchObject({
    main: { provider: 'anthropic' },
    fast: { provider: 'groq', model: 'openai/gpt-oss-20b', apiKey: 'gsk_1', keySetting: 'GROQ_API_KEY' },
  });
});

test('without that key short turns use a fast model of the same provider', () => {
  const set = {
    THALAMUS_LLM_PROVIDER: 'anthropic',
    THALAMUS_LLM_API_KEY: 'k',
    THALAMUS_LLM_FAST_MODEL: 'claude-haiku-5-5',
  };
  expect(readLlm(set)?.fast).toMatchObject({ provider: 'anthropic', model: 'claude-haiku-5-5', apiKey: 'k' });
});

test.each([
  [{ THALAMUS_LLM_PROVIDER: 'anthropic' }, 'THALAMUS_LLM_API_KEY'],
  [{ THALAMUS_LLM_MODEL: 'llama3.1' }, 'THALAMUS_LLM_BASE_URL'],
  [{ THALAMUS_LLM_API_KEY: 'sk-secret' }, 'THALAMUS_LLM_PROVIDER'],
  [{ THALAMUS_LLM_BASE_URL: 'http://localhost:1/v1', THALAMUS_LLM_API_KEY: 'sk-secret' }, 'THALAMUS_LLM_MODEL'],
])('the settings %o are refused with what is missing', (environment, missing) => {
  expect(() => readLlm(environment)).toThrow(ConfigError);
  expect(() => readLlm(environment)).toThrow(missing);
  expect(() => readLlm(environment)).not.toThrow('sk-secret');
});

test('the daily caps are 20, 100 and 0.50 dollars, and the operator sets them or switches them off', () => {
  expect(readConfig({}).llmCaps).toEqual({ person: 20_000_000, workspace: 100_000_000, trial: 500_000 });
  const set = {
    THALAMUS_LLM_DAILY_USD_PERSON: 'off',
    THALAMUS_LLM_DAILY_USD_WORKSPACE: '12.5',
    THALAMUS_LLM_DAILY_USD_TRIAL: '0',
  };
  expect(readConfig(set).llmCaps).toEqual({ person: null, workspace: 12_500_000, trial: 0 });
  expect(() => readConfig({ THALAMUS_LLM_DAILY_USD_PERSON: 'much' })).toThrow(/THALAMUS_LLM_DAILY_USD_PERSON.*or off/);
});

test('prices are read by model, also for names with signs, and a wrong one is named', () => {
  const prices = (text: string) => readConfig({ THALAMUS_LLM_PRICES: text }).llmPrices;
  expect(readConfig({}).llmPrices).toEqual([]);
  expect(prices('llama3.1:8b=0, org/large@v2=2.5/10')).toEqual([
    { model: 'llama3.1:8b', input: 0, output: 0 },
    { model: 'org/large@v2', input: 2.5, output: 10 },
  ]);
  for (const wrong of ['llama', '=1', 'a=-1', 'a=1/2/3', 'a=x']) expect(() => prices(wrong)).toThrow(wrong);
});
