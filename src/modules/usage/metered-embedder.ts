// Wraps the embedder, so that its calls count toward the same daily caps as questions to language models, and are
// recorded.
import type { CallContext } from '#kernel/context';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { TextRefused, type Embedders, type EmbeddingMeter, type MeteredEmbedder } from '#platform/embeddings';
import { checkCaps, type Caps } from './caps.ts';
import { createEmbeddingPricing, type EmbeddingPricing } from './cost.ts';
import { beginUsage, finishUsage, type Finish } from './store.ts';
import { longestQuestionMs } from './visible-usage.ts';

/** The embedder for modules. */
export type MeteredEmbedders = {
  readonly model: string;
  /** For a call: its person pays. No transaction may be open meanwhile. Throws `LlmCapReached`. */
  for(call: Pick<CallContext, 'caller' | 'requestId'>): MeteredEmbedder;
  /** For background work: the person whose content it is pays; null: the workspace. */
  inBackground(workspaceId: string, personId: string | null): MeteredEmbedder;
};

type Payer = { workspaceId: string; personId: string | null; isTrial: boolean; requestId: string };

type MeteredEmbedderDeps = {
  transactions: Transactions;
  caps: Caps;
  pricing: EmbeddingPricing;
  /** Called when the usage could not be recorded. */
  onError: (error: unknown) => void;
  now: () => Date;
  newId: () => string;
};

function createMeteredEmbedders(embedders: Embedders | null, parts: MeteredEmbedderDeps): MeteredEmbedders | null {
  if (!embedders) return null;
  const by = (payer: Payer) => embedders.by(createMeter(parts, payer));
  return {
    model: embedders.model,
    for: ({ caller: { workspaceId, personId, run }, requestId }) =>
      by({ workspaceId, personId, isTrial: run?.isTrial ?? false, requestId }),
    inBackground: (workspaceId, personId) => by({ workspaceId, personId, isTrial: false, requestId: parts.newId() }),
  };
}

/** Nothing is stored for a model without costs, so a search with it takes no longer. */
function createMeter(
  { transactions, caps, pricing, onError, ...parts }: MeteredEmbedderDeps,
  payer: Payer,
): EmbeddingMeter {
  const { workspaceId, personId, isTrial, requestId } = payer;
  return {
    async begin({ model, most }) {
      const reserved = pricing.computeCharge(model, most);
      if (reserved === 0) return null;
      const [id, startedAt] = [parts.newId(), parts.now()];
      const { isPrivate: _isPrivate, ...name } = model;
      const whose = { workspace_id: workspaceId, person_id: personId, request_id: requestId, is_trial: isTrial };
      await transactions.run(workspaceId, 'write', async (db) => {
        await checkCaps(db, caps, { personId, isTrial, most: reserved });
        await beginUsage(
          db,
          { id, tag: 'embedding', ...whose, ...name, reserved_micro_usd: reserved },
          longestQuestionMs,
        );
      });
      const requests: (number | null)[] = [];
      return {
        spent: (tokens) => void requests.push(tokens),
        /** A database error must not lose vectors that were paid for. */
        async end(thrown) {
          const tokens = sumTokens(requests);
          const isKnown = tokens !== null && (thrown === null || isUnbilled(thrown));
          const finish: Finish = {
            outcome: thrown === null ? 'ok' : 'failed',
            failure: thrown instanceof AppError ? thrown.code : null,
            input_tokens: isKnown ? tokens : null,
            cached_input_tokens: isKnown ? 0 : null,
            output_tokens: isKnown ? 0 : null,
            duration_ms: Math.max(parts.now().getTime() - startedAt.getTime(), 0),
            cost_micro_usd: isKnown ? pricing.computeCost(model, tokens) : null,
            charged_micro_usd: isKnown ? Math.min(pricing.computeCharge(model, tokens), reserved) : reserved,
          };
          await transactions.run(workspaceId, 'write', (db) => finishUsage(db, id, finish)).catch(onError);
        },
      };
    },
  };
}

/** Null when a request reported nothing. */
function sumTokens(requests: readonly (number | null)[]): number | null {
  return requests.reduce((sum, tokens) => (sum === null || tokens === null ? null : sum + tokens), 0);
}

/** The service answered that it did not embed the texts. */
function isUnbilled(thrown: unknown): boolean {
  return thrown instanceof TextRefused || (thrown instanceof AppError && typeof thrown.details['status'] === 'number');
}

/**
 * The server's metered embedder; null when none is configured. Its own rows need no embedding, so it uses transactions
 * that report no writes.
 */
export const getMeteredEmbedders = memoizePerServer(({ embedders, transactions, watched, config, log }: Ground) =>
  createMeteredEmbedders(embedders, {
    transactions: watched?.unwatched ?? transactions,
    caps: config.llmCaps,
    pricing: createEmbeddingPricing(config.llmPrices),
    onError: (err) => log.warn({ err }, 'the usage of an embedder could not be recorded'),
    now,
    newId,
  }),
);
