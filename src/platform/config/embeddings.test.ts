import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './index.ts';

const embeddings = (settings: Record<string, string>) =>
  readConfig(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`THALAMUS_EMBEDDINGS_${name}`, value])),
  ).embeddings;

test('without settings there is no embedder', () => {
  expect(embeddings({})).toBeNull();
});

test('an address is enough: the default model is used there, without a key', () => {
  expect(embeddings({ BASE_URL: 'https://api.openai.com/v1/' })).toEqual({
    kind: 'http',
    baseUrl: 'https://api.openai.com/v1',
    model: 'text-embedding-3-small',
    apiKey: null,
    dimensions: null,
  });
});

test('model, key and length are read', () => {
  const settings = {
    BASE_URL: 'http://127.0.0.1:11434/v1',
    MODEL: 'nomic-embed-text',
    API_KEY: 'k',
    DIMENSIONS: '256',
  };
  expect(embeddings(settings)).toMatchObject({ model: 'nomic-embed-text', apiKey: 'k', dimensions: 256 });
});

test('a local model is named by its folder, in either of two ways', () => {
  const local = { kind: 'local', folder: resolve('models/mini'), dimensions: null };
  expect(embeddings({ MODEL_PATH: 'models/mini' })).toEqual(local);
  expect(embeddings({ MODEL: 'local:models/mini' })).toEqual(local);
});

test.each([
  [{ MODEL: 'text-embedding-3-small' }, 'https://api.openai.com/v1'],
  [{ API_KEY: 'sk-secret' }, 'BASE_URL is missing'],
  [{ BASE_URL: 'http://localhost:1/v1', MODEL_PATH: '/m' }, 'Unset one'],
  [{ MODEL: 'x', MODEL_PATH: '/m' }, 'both set'],
])('the settings %o are refused with what to do', (settings, said) => {
  expect(() => embeddings(settings)).toThrow(ConfigError);
  expect(() => embeddings(settings)).toThrow(said);
  expect(() => embeddings(settings)).not.toThrow('sk-secret');
});
