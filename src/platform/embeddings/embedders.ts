// The embedder of the settings. Texts go to an external service only through a meter.
import type { Egress } from '#platform/egress';
import { isPrivateAddress, type Model } from '#platform/llm';
import { withSpan, SpanKind } from '#platform/telemetry';
import type { Embedder, RetryLimits } from './embedder.ts';
import { createHttpEmbedder, type HttpEmbedderSettings } from './http-embedder.ts';
import { createLocalEmbedder, type LocalEmbedderSettings } from './local-embedder.ts';

export type EmbedderSettings = ({ kind: 'http' } & HttpEmbedderSettings) | ({ kind: 'local' } & LocalEmbedderSettings);

/** Texts that are being embedded. */
export type MeteredTexts = {
  /** The tokens of one request; null: not reported. */
  spent(tokens: number | null): void;
  /** Called once at the end. Null: they were embedded. */
  end(error: unknown): Promise<void>;
};

/**
 * Meters the cost of texts. It is called once for all texts of a call, with the most tokens that they can have, and
 * throws when they may not be embedded. Null: embedding them costs nothing.
 */
export type EmbeddingMeter = { begin(texts: { model: Model; most: number }): Promise<MeteredTexts | null> };

/** An embedder that works in somebody's name. */
export type MeteredEmbedder = Omit<Embedder, 'close'>;

export type Embedders = {
  readonly model: string;
  /** The embedder, with every call metered. A model on this machine costs nothing and needs no meter. */
  by(meter: EmbeddingMeter): MeteredEmbedder;
  close(): Promise<void>;
};

/** Opens the embedder of the settings; null when none is configured. Nothing is loaded before its first use. */
export function createEmbedders(egress: Egress, settings: EmbedderSettings | null): Embedders | null {
  if (!settings) return null;
  if (settings.kind === 'local') {
    const local = createLocalEmbedder(settings);
    return { model: local.model, by: () => local, close: () => local.close() };
  }
  const remote = withTracing(createHttpEmbedder(egress, settings));
  const model = {
    provider: 'openai-compatible',
    model: settings.model,
    isPrivate: isPrivateAddress(settings.baseUrl),
  } as const;
  return { model: remote.model, by: (meter) => withMetering(remote, model, meter), close: () => remote.close() };
}

/** Spans of calls to an embedding model, by the semantic conventions for generative AI. */
function withTracing(embedder: Embedder): Embedder {
  const attributes = {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': embedder.model,
  };
  const spec = { name: `embeddings ${embedder.model}`, kind: SpanKind.CLIENT, attributes };
  return {
    ...embedder,
    embed: (texts, patience = {}) =>
      withSpan(spec, (span) => {
        const onSpent = (tokens: number | null) => {
          if (tokens !== null) span.setAttribute('gen_ai.usage.input_tokens', tokens);
          patience.onSpent?.(tokens);
        };
        return embedder.embed(texts, { ...patience, onSpent });
      }),
  };
}

function withMetering(embedder: Embedder, model: Model, meter: EmbeddingMeter): MeteredEmbedder {
  async function embed(texts: readonly string[], patience: RetryLimits = {}): Promise<Float32Array[]> {
    if (!texts.length) return [];
    const call = await meter.begin({ model, most: countMostTokens(texts) });
    if (!call) return embedder.embed(texts, patience);
    try {
      const vectors = await embedder.embed(texts, { ...patience, onSpent: (tokens) => call.spent(tokens) });
      await call.end(null);
      return vectors;
    } catch (error) {
      await call.end(error);
      throw error;
    }
  }
  return { model: embedder.model, embed, space: (patience) => embedder.space(patience, embed) };
}

/** Every byte as a token, and two that begin and end a text. */
function countMostTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0);
}
