import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, createConfiguration } from './index.ts';

const { readConfig } = createConfiguration([]);

const readEmbeddings = (settings: Record<string, string>) =>
  readConfig(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`THALAMUS_EMBEDDINGS_${name}`, value])),
  ).embeddings;

test('without settings there is no embedder', () => {
  expect(readEmbeddings({})).toBeNull();
});

test('an address is enough: the default model is used there, without a key', () => {
  expect(readEmbeddings({ BASE_URL: 'https://api.openai.com/v1/' })).toEqual({
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
  expect(readEmbeddings(settings)).toMatchObject({ model: 'nomic-embed-text', apiKey: 'k', dimensions: 256 });
});

test('a local model is named by its folder, in either of two ways', () => {
  const local = { kind: 'local', folder: resolve('models/mini'), dimensions: null };
  expect(readEmbeddings({ MODEL_PATH: 'models/mini' })).toEqual(local);
  expect(readEmbeddings({ MODEL: 'local:models/mini' })).toEqual(local);
});

test.each([
  [{ MODEL: 'text-embedding-3-small' }, 'https://api.openai.com/v1'],
  [{ API_KEY: 'sk-secret' }, 'BASE_URL is missing'],
  [{ BASE_URL: 'http://localhost:1/v1', MODEL_PATH: '/m' }, 'Unset one'],
  [{ MODEL: 'x', MODEL_PATH: '/m' }, 'both set'],
])('the settings %o are refused with what to do', (settings, said) => {
  expect(() => readEmbeddings(settings)).toThrow(ConfigError);
  expect(() => readEmbeddings(settings)).toThrow(said);
  expect(() => readEmbeddings(settings)).not.toThrow('sk-secret');
});
