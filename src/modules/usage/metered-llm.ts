// Wraps the language models, so that every question is counted.
import type { Caller } from '#kernel/caller';
import type { Transactions } from '#kernel/database';
import { perServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { LlmFailure, type Llm, type Tokens } from '#platform/llm';
import { costOf } from './cost.ts';
import { beginUsage, finishUsage, type Finish } from './store.ts';
import type { LlmTag } from './tags.ts';

/** The language model for modules. */
export type MeteredLlm = {
  modelFor: Llm['modelFor'];
  /** The models for one call: its questions are recorded with the tag. No transaction may be open meanwhile. */
  for(call: { caller: Caller; requestId: string }, tag: LlmTag): Llm;
};

type Parts = {
  llm: Llm;
  transactions: Transactions;
  /** Called when an answer could not be recorded. */
  onError: (error: unknown) => void;
  /** Called with every failed question, for the operator of the server. */
  onFailure: (failure: unknown) => void;
  now: () => Date;
  newId: () => string;
};

type Asker = { caller: Caller; requestId: string; tag: LlmTag };
type Question = Parameters<Llm['text']>[0];

/** Wraps the models with the meter; null without models. */
function createMeteredLlm({ llm, ...parts }: Omit<Parts, 'llm'> & { llm: Llm | null }): MeteredLlm | null {
  return llm && { modelFor: llm.modelFor, for: (call, tag) => meteredFor({ llm, ...parts }, { ...call, tag }) };
}

function meteredFor(parts: Parts, asker: Asker): Llm {
  const { llm } = parts;
  async function measured<Asked extends Question, Answer>(question: Asked, ask: (asked: Asked) => Promise<Answer>) {
    const meter = await begin(parts, asker, question);
    try {
      const answer = await ask({ ...question, onSpent: meter.spent });
      await meter.finish(null);
      return answer;
    } catch (error) {
      await meter.finish(error);
      throw error;
    }
  }
  return {
    modelFor: llm.modelFor,
    object: (question) => measured(question, llm.object),
    text: (question) => measured(question, llm.text),
    async *stream(question) {
      const meter = await begin(parts, asker, question);
      let failure: unknown = stopped;
      try {
        yield* llm.stream({ ...question, onSpent: meter.spent });
        failure = null;
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        await meter.finish(failure); // also when the reader stops
      }
    },
  };
}

const stopped = Symbol('The answer was not read to its end.');

async function begin({ llm, transactions, now, newId, onError, onFailure }: Parts, asker: Asker, question: Question) {
  const { caller, requestId, tag } = asker;
  const [id, startedAt, name] = [newId(), now(), llm.modelFor(question)];
  let tokens: Tokens | null = null;
  await transactions.run(caller.workspaceId, 'write', (db) =>
    beginUsage(db, {
      id,
      workspace_id: caller.workspaceId,
      person_id: caller.personId,
      tag,
      ...name,
      request_id: requestId,
      started_at: startedAt,
    }),
  );
  return {
    spent(used: Tokens) {
      tokens = used;
      question.onSpent?.(used);
    },
    /** A database error must not lose an answer that was paid for. */
    async finish(thrown: unknown): Promise<void> {
      const outcome = outcomeOf(thrown);
      if (outcome.outcome === 'failed') onFailure(thrown);
      const finish: Finish = {
        ...outcome,
        duration_ms: Math.max(now().getTime() - startedAt.getTime(), 0),
        input_tokens: tokens?.input ?? null,
        cached_input_tokens: tokens?.cachedInput ?? null,
        output_tokens: tokens?.output ?? null,
        cost_micro_usd: tokens && costOf(name, tokens, startedAt),
      };
      await transactions.run(caller.workspaceId, 'write', (db) => finishUsage(db, id, finish)).catch(onError);
    },
  };
}

function outcomeOf(thrown: unknown): Pick<Finish, 'outcome' | 'failure'> {
  if (thrown === null) return { outcome: 'ok', failure: null };
  const reason = thrown instanceof LlmFailure ? thrown.reason : null;
  if (thrown === stopped || reason === 'cancelled') return { outcome: 'cancelled', failure: null };
  return { outcome: 'failed', failure: reason };
}

/** The server's metered models; null when none is configured. */
export const llmOf = perServer(({ llm, transactions, log }: Ground) =>
  createMeteredLlm({
    llm,
    transactions,
    onError: (err) => log.warn({ err }, 'what a language model used could not be written down'),
    onFailure: (err) => log.info({ err }, 'a language model gave no usable answer'),
    now,
    newId,
  }),
);
