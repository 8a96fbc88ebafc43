// Installs `@huggingface/transformers` once beside a model, as an operator does, and runs the model for real.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createEgress } from '#platform/egress';
import { createEmbedders, type Embedders, type MeteredEmbedder } from '#platform/embeddings';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeTinyModel } from './tiny-model.ts';

const transformers = '@huggingface/transformers@4.3.1';
const models = join(import.meta.dirname, '../../.tmp/local-model');
const folder = join(models, 'tiny');
const egress = createEgress({ allow: [] });
const opened: Embedders[] = [];
let notInstalled: string | null = null;

beforeAll(() => {
  writeTinyModel(folder, [
    ['boat', 'ship', 'vessel'],
    ['money', 'cash'],
  ]);
  if (isInstalled()) return;
  mkdirSync(models, { recursive: true });
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', models, transformers]);
  } catch (error) {
    notInstalled = `${transformers} could not be installed: ${String(error)}`;
  }
}, 300_000);
// The product does not depend on it, so a registry without it is not a fault of the product.
beforeEach(({ skip }) => skip(notInstalled !== null, notInstalled ?? ''));
afterAll(async () => {
  for (const embedders of opened) await embedders.close();
  await egress.close();
});

function isInstalled(): boolean {
  const file = join(models, 'node_modules/@huggingface/transformers/package.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes(`"version": "${transformers.split('@').at(-1)}"`);
}

function open(dimensions: number | null = null): MeteredEmbedder {
  const embedders = createEmbedders(egress, { kind: 'local', folder, dimensions });
  if (!embedders) throw new Error('no embedder was made of the settings');
  opened.push(embedders);
  return embedders.by({ begin: async () => null }); // nobody sends a bill for it
}

const computeCosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, each, at) => sum + each * other[at]!, 0);

test('a local model embeds texts in their order; similar meanings are near, in vectors of length 1', async () => {
  const [boat, cash, ship] = await open().embed(['the boat', 'cash', 'a ship']);
  expect(computeCosine(boat!, boat!)).toBeCloseTo(1, 5);
  expect(computeCosine(boat!, ship!)).toBeGreaterThan(0.95);
  expect(computeCosine(boat!, cash!)).toBeLessThan(0.2);
});

test('each text of a batch gets the same vector as alone', async () => {
  const embedder = open();
  const texts = Array.from({ length: 20 }, (_, at) => (at % 3 ? 'money and more money' : 'a vessel'));
  const together = await embedder.embed(texts);
  const [alone] = await embedder.embed(['a vessel']);
  expect(together).toHaveLength(20);
  expect(computeCosine(together[0]!, alone!)).toBeGreaterThan(0.95);
});

test('the space of a local model has the names of folder and length, and another length is refused', async () => {
  expect(await open().space()).toEqual({ name: 'local:tiny/16', dimensions: 16 });
  await expect(open(384).embed(['cash'])).rejects.toMatchObject({
    message: expect.stringContaining('16 numbers instead of 384'),
  });
});

test('the main thread stays free while a model works', async () => {
  const embedder = open();
  await embedder.embed(['boat']);
  const before = performance.eventLoopUtilization();
  await embedder.embed(Array.from({ length: 400 }, () => 'boat ship vessel money cash '.repeat(10)));
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});
