// Accepts an answer only if it has one finite vector of the right length for each text.
import { AppError } from '#kernel/errors';

/** Reads the body of `POST /embeddings`. Throws `upstream_failed` with the error. */
export function readVectors(body: unknown, count: number, dimensions: number | null): Float32Array[] {
  const data = isObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data)) throw createWrongAnswerError('it has no list `data`');
  if (data.length !== count) throw createWrongAnswerError(`it has ${data.length} vectors for ${count} texts`);
  const vectors: Float32Array[] = [];
  for (const [position, entry] of data.entries()) {
    const index: unknown = isObject(entry) ? (entry['index'] ?? position) : position;
    if (typeof index !== 'number' || !(index in data) || vectors[index])
      throw createWrongAnswerError('its indexes are not 0 to n-1');
    vectors[index] = toVector(isObject(entry) ? entry['embedding'] : undefined);
  }
  checkLengths(vectors, dimensions ?? vectors[0]?.length ?? 0);
  return vectors;
}

/** The tokens that the service reports; null for none, or for an impossible number. */
export function readSpent(body: unknown): number | null {
  const usage = isObject(body) ? body['usage'] : undefined;
  const tokens = isObject(usage) ? (usage['prompt_tokens'] ?? usage['total_tokens']) : undefined;
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}

/** Throws unless every vector has this many numbers. */
export function checkLengths(vectors: readonly Float32Array[], dimensions: number): void {
  const other = vectors.find((vector) => vector.length !== dimensions);
  if (!other) return;
  throw createWrongAnswerError(
    `a vector has ${other.length} numbers instead of ${dimensions}. Set THALAMUS_EMBEDDINGS_DIMENSIONS and ` +
      'THALAMUS_EMBEDDINGS_MODEL to the values of the embedder',
  );
}

function toVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0) throw createWrongAnswerError('a vector is missing');
  if (!embedding.every((number) => typeof number === 'number'))
    throw createWrongAnswerError('a vector contains something that is not a number');
  const vector = Float32Array.from(embedding as number[]); // checked above
  if (!vector.every(Number.isFinite)) throw createWrongAnswerError('a vector contains a number that is not finite');
  if (vector.every((number) => number === 0)) throw createWrongAnswerError('a vector is all zeros');
  return vector;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function createWrongAnswerError(what: string): AppError {
  return new AppError('upstream_failed', `The embedder's answer cannot be used: ${what}.`);
}
