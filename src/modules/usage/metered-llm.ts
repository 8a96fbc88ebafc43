// Wraps the language models, so that every question counts toward the daily caps and is recorded.
import type { Caller } from '#kernel/caller';
import type { Db, Transactions } from '#kernel/database';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import {
  LlmFailure,
  stoppedReading,
  type ModelAccess,
  type Llm,
  type Meter,
  type Model,
  type Tokens,
} from '#platform/llm';
import type { Telemetry } from '#platform/telemetry';
import { checkCaps, type Caps } from './caps.ts';
import { createPricing, type Pricing } from './cost.ts';
import { beginUsage, finishUsage, type Finish } from './store.ts';
import type { LlmTag } from './tags.ts';
import { longestQuestionMs } from './visible-usage.ts';

/** The language model for modules. */
export type MeteredLlm = {
  getModel: Llm['getModel'];
  computeCharge: Pricing['computeCharge'];
  caps: Caps;
  /**
   * The models for one call: its questions count toward the daily caps of its person and workspace, and are recorded
   * with the tag. No transaction may be open meanwhile. Throws `LlmCapReached`. `onCharged` receives the charge of a
   * question, in millionths of a dollar.
   */
  for(call: LlmCall, tag: LlmTag, onCharged?: (micro: number) => void): ModelAccess;
};

type LlmCall = { caller: Caller; requestId: string };

type MeteredLlmDeps = {
  llm: Llm;
  transactions: Transactions;
  caps: Caps;
  pricing: Pricing;
  /** Called when an answer could not be recorded. */
  onError: (error: unknown) => void;
  /** Counts what a question used. */
  count(used: { model: Model; tokens: Tokens | null; microUsd: number }): void;
  /** Called with every failed question, for the operator of the server. */
  onFailure: (failure: unknown) => void;
  now: () => Date;
  newId: () => string;
};

type MeteredCaller = LlmCall & { tag: LlmTag; onCharged: ((micro: number) => void) | undefined };

/** Wraps the models with the meter; null without models. */
function createMeteredLlm({ llm, ...parts }: Omit<MeteredLlmDeps, 'llm'> & { llm: Llm | null }): MeteredLlm | null {
  if (!llm) return null;
  return {
    getModel: llm.getModel,
    computeCharge: parts.pricing.computeCharge,
    caps: parts.caps,
    for: (call, tag, onCharged) => llm.by(createMeter({ llm, ...parts }, { ...call, tag, onCharged })),
  };
}

function createMeter(
  { transactions, caps, pricing, onError, onFailure, ...parts }: MeteredLlmDeps,
  asker: MeteredCaller,
): Meter {
  const { caller, requestId, tag, onCharged } = asker;
  return {
    async begin({ model, most }) {
      const [id, startedAt] = [parts.newId(), parts.now()];
      const { isPrivate: _isPrivate, ...name } = model;
      const reserved = pricing.computeCharge(model, most, startedAt);
      const isTrial = caller.run?.isTrial ?? false;
      const budget = tag === 'automation' ? undefined : caller.run?.budget; // that question shortens its answer to fit
      const reservedOfRun = { micro: reserved, tokens: most.input + most.output };
      await transactions.run(caller.workspaceId, 'write', async (db) => {
        const { workspaceId: workspace_id, personId: person_id } = caller;
        await checkCaps(db, caps, { personId: person_id, isTrial, most: reserved });
        await budget?.reserve(db, reservedOfRun);
        const asked = { id, workspace_id, person_id, tag, ...name, request_id: requestId };
        await beginUsage(db, { ...asked, is_trial: isTrial, reserved_micro_usd: reserved }, longestQuestionMs);
      });
      let tokens: Tokens | null = null;
      return {
        spent: (used) => void (tokens = used),
        /** A database error must not lose an answer that was paid for. */
        async end(thrown) {
          const outcome = getUsageOutcome(thrown);
          if (outcome.outcome === 'failed') onFailure(thrown);
          const charged = tokens ? pricing.computeCharge(model, tokens, startedAt) : isUnbilled(thrown) ? 0 : reserved;
          onCharged?.(charged);
          parts.count({ model, tokens, microUsd: charged });
          const finish: Finish = {
            ...outcome,
            ...getTokenCounts(tokens),
            duration_ms: Math.max(parts.now().getTime() - startedAt.getTime(), 0),
            cost_micro_usd: tokens && pricing.computeCost(model, tokens, startedAt),
            charged_micro_usd: charged,
          };
          const used = {
            micro: charged,
            tokens: tokens ? tokens.input + tokens.output : 0,
            calls: charged > 0 ? 1 : 0,
          };
          const store = async (db: Db) => {
            await finishUsage(db, id, finish);
            await budget?.reconcile(db, reservedOfRun, used);
          };
          await transactions.run(caller.workspaceId, 'write', store).catch(onError);
        },
      };
    },
  };
}

function getTokenCounts(tokens: Tokens | null) {
  return {
    input_tokens: tokens?.input ?? null,
    cached_input_tokens: tokens?.cachedInput ?? null,
    output_tokens: tokens?.output ?? null,
  };
}

/** Failures before a model began to answer: providers do not charge for them. */
const unbilled: readonly string[] = [
  'bad_key',
  'no_credit',
  'unknown_model',
  'rate_limited',
  'too_long',
  'unsupported_form',
  'not_accepted',
  'down',
  'unreachable',
];

function isUnbilled(thrown: unknown): boolean {
  return thrown instanceof LlmFailure && unbilled.includes(thrown.reason);
}

function getUsageOutcome(thrown: unknown): Pick<Finish, 'outcome' | 'failure'> {
  if (thrown === null) return { outcome: 'ok', failure: null };
  const reason = thrown instanceof LlmFailure ? thrown.reason : null;
  if (thrown === stoppedReading || reason === 'cancelled') return { outcome: 'cancelled', failure: null };
  return { outcome: 'failed', failure: reason };
}

function createCount(telemetry: Telemetry): MeteredLlmDeps['count'] {
  const cost = telemetry.counter('thalamus_model_cost_usd_total', 'What language models cost, as the caps count it.', [
    'provider',
    'model',
  ]);
  const used = telemetry.counter('thalamus_model_tokens_total', 'Tokens of language models.', [
    'provider',
    'model',
    'kind',
  ]);
  return function count({ model: { provider, model }, tokens, microUsd }) {
    cost.inc(microUsd / 1_000_000, { provider, model });
    used.inc(tokens?.input ?? 0, { provider, model, kind: 'input' });
    used.inc(tokens?.output ?? 0, { provider, model, kind: 'output' });
  };
}

/** The server's metered models; null when none is configured. */
export const getMeteredLlm = memoizePerServer(({ llm, transactions, config, log, telemetry }: Ground) =>
  createMeteredLlm({
    count: createCount(telemetry),
    llm,
    transactions,
    caps: config.llmCaps,
    pricing: createPricing(config.llmPrices),
    onError: (err) => log.warn({ err }, 'the usage of a language model could not be recorded'),
    onFailure: (err) => log.info({ err }, 'a language model returned no usable answer'),
    now,
    newId,
  }),
);
