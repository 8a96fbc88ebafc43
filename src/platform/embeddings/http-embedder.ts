// An embedder with the OpenAI protocol: `POST {base}/embeddings`.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import {
  parseBodyJson,
  diagnose,
  EgressError,
  type Diagnostics,
  type Egress,
  type EgressResponse,
} from '#platform/egress';
import { splitIntoBatches } from './batches.ts';
import { readSpent, readVectors } from './check-vectors.ts';
import { createSpace, TextRefused, type Embedder, type RetryLimits } from './embedder.ts';

export type HttpEmbedderSettings = {
  baseUrl: string;
  model: string;
  apiKey: string | null;
  /** The vector length to request each time; null: the model decides. */
  dimensions: number | null;
};

/** The default lengths of known models; other models are asked once. */
const usualDimensions: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

const patient = { attempts: 4, timeoutMs: 30_000 };
const firstPauseMs = 500;
/** A caller fails at once when the pause is longer than this, and is told its length. */
const longestPauseMs = 15_000;
const maxBytes = 16_000_000;
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

type Attempt = { vectors: Float32Array[]; tokens: number | null } | { failure: AppError; retryAfterMs: number | null };

/** Opens an embedder over HTTP. Requests use egress; no error contains its key. */
export function createHttpEmbedder(egress: Egress, settings: HttpEmbedderSettings): Embedder {
  const { model } = settings;
  let dimensions = settings.dimensions ?? usualDimensions[model] ?? null;

  async function embedBatch(texts: readonly string[], { attempts, timeoutMs, onSpent }: typeof patient & RetryLimits) {
    for (let made = 1; ; made += 1) {
      const attempt = await ask(egress, settings, texts, { timeoutMs, dimensions });
      if ('vectors' in attempt) {
        onSpent?.(attempt.tokens);
        return attempt.vectors;
      }
      if (made >= attempts || attempt.retryAfterMs === null) throw attempt.failure;
      const pause = Math.max(attempt.retryAfterMs, firstPauseMs * 2 ** (made - 1));
      if (pause > longestPauseMs) throw attempt.failure;
      await sleep(pause, undefined, { ref: false });
    }
  }

  async function embed(texts: readonly string[], patience: RetryLimits = {}): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const batch of splitIntoBatches(texts))
      vectors.push(...(await embedBatch(batch, { ...patient, ...patience })));
    dimensions ??= vectors[0]?.length ?? null;
    return vectors;
  }

  return { model, embed, space: createSpace(model, dimensions, embed), close: async () => {} };
}

async function ask(
  egress: Egress,
  settings: HttpEmbedderSettings,
  texts: readonly string[],
  { timeoutMs, dimensions }: { timeoutMs: number; dimensions: number | null },
): Promise<Attempt> {
  const { baseUrl, model, apiKey } = settings;
  const secrets = apiKey ? [apiKey] : [];
  const body = { model, input: texts, encoding_format: 'float' };
  try {
    const response = await egress.request({
      method: 'POST',
      url: `${baseUrl}/embeddings`,
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(settings.dimensions === null ? body : { ...body, dimensions: settings.dimensions }),
      timeoutMs,
      maxBytes,
      redirects: 'refuse',
      allow: [baseUrl],
      secrets,
    });
    return readAttempt(response, texts.length, dimensions, secrets);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const { retryable, resolution } = error.diagnostics;
    const message = `The embedder is not reachable. ${error.message} ${resolution}`;
    return {
      failure: new AppError('upstream_failed', message, {}, { cause: error }),
      retryAfterMs: retryable ? 0 : null,
    };
  }
}

function readAttempt(
  response: EgressResponse,
  count: number,
  dimensions: number | null,
  secrets: readonly string[],
): Attempt {
  if (response.status === 200) {
    const body = parseBodyJson(response);
    return { vectors: readVectors(body, count, dimensions), tokens: readSpent(body) };
  }
  const problem = diagnose(response, { secrets });
  const message = formatMessage(problem);
  if (refusals.has(response.status)) return { failure: new TextRefused(message), retryAfterMs: null };
  const { retryable, retryAfterSeconds = 0 } = problem;
  const details = { status: response.status, ...(retryAfterSeconds && { retry_after_seconds: retryAfterSeconds }) };
  return {
    failure: new AppError('upstream_failed', message, details),
    retryAfterMs: retryable ? retryAfterSeconds * 1000 : null,
  };
}

function formatMessage({ status, providerMessage, resolution }: Diagnostics): string {
  const said = providerMessage === undefined ? '' : `: «${providerMessage}»`;
  return `The embedder answered ${status}${said}. ${resolution}`;
}
