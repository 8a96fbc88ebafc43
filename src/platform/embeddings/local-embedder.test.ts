import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeTinyModel } from '../../../tests/local-model/tiny-model.ts';
import { createLocalEmbedder } from './local-embedder.ts';

// tests/local-model runs the model itself, where the package is installed.
const models = mkdtempSync(join(tmpdir(), 'thalamus-model-'));
afterAll(() => rmSync(models, { recursive: true }));

async function readProblem(folder: string): Promise<string> {
  const embedder = createLocalEmbedder({ folder, dimensions: null });
  const error = await embedder.embed(['a text']).catch((thrown: Error) => thrown);
  await embedder.close();
  return error instanceof Error ? error.message : 'none';
}

test('a folder without a model is refused with what is missing', async () => {
  expect(await readProblem(join(models, 'nowhere'))).toContain('Missing: config.json, tokenizer.json');
});

test('without the package the error explains how to install it', async () => {
  writeTinyModel(join(models, 'tiny'), [['boat']]);
  expect(await readProblem(join(models, 'tiny'))).toContain(`--prefix ${models} @huggingface/transformers`);
});

test('waiting texts get an error when it is closed', async () => {
  const embedder = createLocalEmbedder({ folder: join(models, 'nowhere'), dimensions: null });
  const waiting = Promise.allSettled([embedder.embed(['one']), embedder.embed(['two'])]);
  await embedder.close();
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
