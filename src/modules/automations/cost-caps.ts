// The caps of one run: what a question to the model may cost is reserved before, and what it did cost is counted after.
import type { AfterCommitContext, Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
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
  const automation = await lockAutomation(ctx.db, ctx.caller.id);
  const runId = ctx.caller.run?.id ?? '';
  const run = await findRun(ctx.db, runId);
  if (!run) throw new AppError('forbidden', 'This run has ended.');
  const isShort = isFastModel(llm, request.model ?? automation.model);
  const model = llm.getModel({ isShort });
  const most = countMostTokens(question, model);
  const freeTokens = automation.max_llm_tokens - Number(run.llm_tokens) - Number(run.reserved_tokens) - most.input;
  const costWith = (output: number) => llm.computeCharge(model, { ...most, output }, ctx.now);
  const freeMicro =
    automation.cost_cap_daily_usd * 1_000_000 - (await readSpentToday(ctx.db, automation.id)) - costWith(0);
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
  { runId, micro, tokens }: Reservation,
  used: SpentAmounts,
): Promise<void> {
  await ctx.transact(async (inner) => {
    const automation = await lockAutomation(inner.db, ctx.caller.id);
    await addSpending(inner.db, runId, { ...used, reservedMicro: -micro, reservedTokens: -tokens });
    const run = await findRun(inner.db, runId);
    const isOverCost =
      (await readSpentToday(inner.db, automation.id)) >= automation.cost_cap_daily_usd * 1_000_000 && used.micro > 0;
    const isOverTokens = run !== undefined && Number(run.llm_tokens) >= automation.max_llm_tokens;
    if (isOverCost || isOverTokens)
      await requestStopByCap(inner.db, runId, createReachedCap(isOverCost ? 'cost_cap' : 'token_cap'));
  });
}
