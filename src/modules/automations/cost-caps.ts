// The caps of one run: what a question to the model may cost is reserved before, and what it did cost is counted after.
import type { AfterCommitContext, Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { RunBudget } from '#kernel/run-budget';
import type { MeteredLlm } from '#modules/usage';
import { countMostTokens } from '#platform/llm';
import { isFastModel } from './models.ts';
import { createCapError, createReachedCap } from './reached-cap.ts';
import { lockAutomation } from './store/automations.ts';
import { addSpending, findRun, readSpentToday, requestStopByCap } from './store/runs.ts';

const fewestTokens = 16;
const usualTokens = 1_024;

type Question = Parameters<typeof countMostTokens>[0];

/** The budget reserved for one question, so that concurrent questions together cannot exceed a cap. */
export type Reservation = {
  runId: string;
  micro: number;
  tokens: number;
  maxTokens: number;
  model: string;
  isShort: boolean;
};

export type SpentAmounts = { tokens: number; micro: number; calls: number };

/**
 * Reserves the highest possible cost of the question, and shortens its answer to fit the caps. Ends the run when no
 * answer fits.
 */
export async function reserveCost(
  ctx: Context,
  llm: MeteredLlm,
  {
    question,
    request,
  }: { question: Question; request: { model?: string | undefined; max_tokens?: number | undefined } },
): Promise<Reservation> {
  const runId = ctx.caller.run?.id ?? '';
  const { automation, ...free } = await readFreeAmounts(ctx.db, ctx.caller.id, runId);
  const isShort = isFastModel(llm, request.model ?? automation.model);
  const model = llm.getModel({ isShort });
  const most = countMostTokens(question, model);
  const freeTokens = free.tokens - most.input;
  const costWith = (output: number) => llm.computeCharge(model, { ...most, output }, ctx.now);
  const freeMicro = free.micro - costWith(0);
  const perToken = (costWith(1_000_000) - costWith(0)) / 1_000_000;
  const byCost = perToken > 0 ? Math.floor(freeMicro / perToken) : freeMicro >= 0 ? Infinity : 0;
  const maxTokens = Math.min(request.max_tokens ?? usualTokens, freeTokens, byCost);
  if (maxTokens < Math.min(fewestTokens, request.max_tokens ?? usualTokens))
    throw createCapError(createReachedCap(byCost < freeTokens ? 'cost_cap' : 'token_cap'));
  const [micro, tokens] = [costWith(maxTokens), most.input + maxTokens];
  await addSpending(ctx.db, runId, { reservedMicro: micro, reservedTokens: tokens });
  return { runId, micro, tokens, maxTokens, model: model.model, isShort };
}

/** Counts what the question did cost instead of what was reserved, and stops the run when a cap is reached. */
export async function reconcileCost(
  ctx: AfterCommitContext,
  { runId, ...reserved }: Reservation,
  used: SpentAmounts,
): Promise<void> {
  await ctx.transact((inner) => createRunBudget(ctx.caller.id, runId).reconcile(inner.db, reserved, used));
}

/** The caps of a run for questions that other operations ask in its name. They are asked whole, or not at all. */
export function createRunBudget(automationId: string, runId: string): RunBudget {
  return {
    async reserve(db, { micro, tokens }) {
      const free = await readFreeAmounts(db, automationId, runId);
      if (micro > free.micro) throw createCapError(createReachedCap('cost_cap'));
      if (tokens > free.tokens) throw createCapError(createReachedCap('token_cap'));
      await addSpending(db, runId, { reservedMicro: micro, reservedTokens: tokens });
    },
    async reconcile(db, reserved, used) {
      const automation = await lockAutomation(db, automationId);
      await addSpending(db, runId, { ...used, reservedMicro: -reserved.micro, reservedTokens: -reserved.tokens });
      const run = await findRun(db, runId);
      const isOverCost =
        (await readSpentToday(db, automation.id)) >= automation.cost_cap_daily_usd * 1_000_000 && used.micro > 0;
      const isOverTokens = run !== undefined && Number(run.llm_tokens) >= automation.max_llm_tokens;
      if (isOverCost || isOverTokens)
        await requestStopByCap(db, runId, createReachedCap(isOverCost ? 'cost_cap' : 'token_cap'));
    },
  };
}

/** What the caps leave, with the automation locked. */
async function readFreeAmounts(db: Db, automationId: string, runId: string) {
  const automation = await lockAutomation(db, automationId);
  const run = await findRun(db, runId);
  if (!run) throw new AppError('forbidden', 'This run has ended.');
  return {
    automation,
    tokens: automation.max_llm_tokens - Number(run.llm_tokens) - Number(run.reserved_tokens),
    micro: automation.cost_cap_daily_usd * 1_000_000 - (await readSpentToday(db, automation.id)),
  };
}
