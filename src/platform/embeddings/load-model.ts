// Loads an ONNX model with `@huggingface/transformers`, which is not installed with the product (docs/decisions/0009).
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of the package that is used here. */
type Transformers = {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { local_files_only: boolean; dtype: string },
  ): Promise<Extract>;
};
type Extract = (
  texts: string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<{ dims: number[]; data: Float32Array }>;

const packageName = '@huggingface/transformers';
/** The files that a model may come in, the most exact one first, and the package's name for each. */
const weights = [
  { file: 'model.onnx', dtype: 'fp32' },
  { file: 'model_fp16.onnx', dtype: 'fp16' },
  { file: 'model_quantized.onnx', dtype: 'q8' },
  { file: 'model_int8.onnx', dtype: 'int8' },
] as const;

/** Loads the model in a folder; the result embeds texts. Downloads nothing. Throws an error that says what to do. */
export async function loadModel(folder: string): Promise<(texts: string[]) => Promise<Float32Array[]>> {
  const dtype = checkFolder(folder);
  const { env, pipeline } = loadPackage(folder);
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: dirname(folder) });
  const extract = await pipeline('feature-extraction', basename(folder), { local_files_only: true, dtype });
  const pooling = readPooling(folder);
  return async function embedTexts(texts) {
    const { dims, data } = await extract(texts, { pooling, normalize: true });
    const length = dims.at(-1) ?? 0;
    return texts.map((_text, at) => Float32Array.from(data.subarray(at * length, (at + 1) * length)));
  };
}

function checkFolder(folder: string): string {
  const needed = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
  const missing = needed.filter((file) => !existsSync(join(folder, file)));
  const found = weights.find(({ file }) => existsSync(join(folder, 'onnx', file)));
  if (!found) missing.push('onnx/model.onnx');
  if (missing.length || !found)
    throw new Error(`${folder} is not a folder with an ONNX model. Missing: ${missing.join(', ')}.`);
  return found.dtype;
}

/** Installed with the product, or beside the model in a folder above it. */
function loadPackage(folder: string): Transformers {
  const places = [import.meta.url, pathToFileURL(join(folder, 'model')).href].map(createRequire);
  const place = places.find(hasPackage);
  if (place) return place(packageName) as Transformers;
  throw new Error(
    `The package ${packageName} is missing. Install it beside the model: ` +
      `npm install --ignore-scripts --prefix ${dirname(folder)} ${packageName}`,
  );
}

function hasPackage(place: NodeJS.Require): boolean {
  try {
    return place.resolve(packageName) !== '';
  } catch {
    return false;
  }
}

/** The pooling of the training: `1_Pooling/config.json` of sentence-transformers names it; most models use the mean. */
function readPooling(folder: string): 'mean' | 'cls' {
  const file = join(folder, '1_Pooling', 'config.json');
  if (!existsSync(file)) return 'mean';
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>; // its own file format
  return config['pooling_mode_cls_token'] === true ? 'cls' : 'mean';
}
