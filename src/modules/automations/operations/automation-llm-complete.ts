import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { costOf, type MeteredLlm } from '#modules/usage';
import { LlmFailure, type ModelName, type Tokens } from '#platform/llm';
import { z } from 'zod';
import { isFastModel } from '../models.ts';
import { lockAutomation } from '../store/automations.ts';
import { endByCap, findRun, spend, spentToday } from '../store/runs.ts';

const fewestTokens = 16;
const usualTokens = 1_024;
/** The most tokens per character that a tokenizer makes, apart from rare scripts. */
const tokensPerCharacter = 0.5;

const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().max(100_000) });

const input = z.strictObject({
  messages: z.array(message).min(1).max(200).optional(),
  prompt: z.string().min(1).max(100_000).optional().describe('In the place of messages.'),
  system: z.string().max(100_000).optional(),
  model: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The fast model of the server by its name; every other name is answered by the main one. Default: the model of the automation.',
    ),
  max_tokens: z.number().int().min(1).max(16_000).optional(),
  temperature: z.number().min(0).max(1).optional(),
});

/** The budget reserved for one question, so that concurrent questions cannot exceed a cap together. */
type Reservation = {
  runId: string;
  micro: number;
  tokens: number;
  maxTokens: number;
  name: ModelName;
  isShort: boolean;
};

export function automationLlmComplete({ llm }: { llm: MeteredLlm | null }) {
  return defineOperation({
    name: 'automation_llm_complete',
    summary:
      'Ask the language model of the server, within the caps of the automation. Code of a run alone can call it.',
    toolset: 'automations',
    effect: 'external_read',
    access: { scope: 'automations:read' },
    input,
    output: z.object({
      text: z.string(),
      model: z.string(),
      usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
      stop_reason: z.enum(['end_turn', 'max_tokens']),
    }),
    errors: ['forbidden', 'invalid_input', 'plan_limit', 'unavailable', 'upstream_failed'],
    examples: [{ title: 'A sentence', input: { prompt: 'Summarise these notes in one sentence: …', max_tokens: 200 } }],
    async run(ctx, asked): Promise<Reservation> {
      if (!ctx.caller.run)
        throw new AppError('forbidden', 'automation_llm_complete is for the code of an automation. Call it there.');
      if (!asked.messages === !asked.prompt)
        throw new AppError('invalid_input', 'Send messages or prompt, one of them.');
      if (!llm)
        throw new AppError('unavailable', 'No language model is set on this server. Its operator sets THALAMUS_LLM_*.');
      return reserve(ctx, llm, asked);
    },
    async afterCommit(ctx, reservation, asked) {
      if (!llm) throw new Error('a reservation is made with a model alone');
      const { isShort, maxTokens, name } = reservation;
      let tokens: Tokens | null = null;
      let stop_reason: 'end_turn' | 'max_tokens' = 'end_turn';
      const question = {
        prompt: asked.messages ?? asked.prompt ?? '',
        isShort,
        maxOutputTokens: maxTokens,
        ...(asked.system !== undefined && { system: asked.system }),
        ...(asked.temperature !== undefined && { temperature: asked.temperature }),
        onSpent: (spent: Tokens) => void (tokens = spent),
        onCut: () => void (stop_reason = 'max_tokens'),
      };
      try {
        const text = await llm.for(ctx, 'automation').text(question);
        const used: Tokens = tokens ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
        const usage = { input_tokens: used.input, output_tokens: used.output };
        return { text, model: name.model, usage, stop_reason };
      } catch (error) {
        if (!(error instanceof LlmFailure)) throw error;
        throw new AppError(
          'upstream_failed',
          `The language model gave no answer: ${error.message}`,
          {},
          { cause: error },
        );
      } finally {
        await settleSpent(ctx, reservation, tokens);
      }
    },
  });
}

type Asked = z.output<typeof input>;

/** The characters of all that is sent. */
function lengthOf({ messages, prompt = '', system = '' }: Asked): number {
  return (messages ?? []).reduce((sum, { content }) => sum + content.length, prompt.length + system.length);
}

/**
 * Reserves the highest cost of the question, and shortens its answer to fit the caps. Ends the run when no answer fits.
 */
async function reserve(ctx: Context, llm: MeteredLlm, asked: Asked): Promise<Reservation> {
  const automation = await lockAutomation(ctx.db, ctx.caller.id);
  const runId = ctx.caller.run?.id ?? '';
  const run = await findRun(ctx.db, runId);
  if (!run) throw new AppError('forbidden', 'This run has ended.');
  const isShort = isFastModel(llm, asked.model ?? automation.model);
  const name = llm.modelFor({ isShort });
  const inputTokens = Math.ceil(lengthOf(asked) * tokensPerCharacter);
  const freeTokens = automation.max_llm_tokens - Number(run.llm_tokens) - Number(run.reserved_tokens) - inputTokens;
  const costOfTokens = (output: number) =>
    costOf(name, { input: inputTokens, cachedInput: 0, cacheWrite: 0, output }, ctx.now) ?? 0;
  const freeMicro =
    automation.cost_cap_daily_usd * 1_000_000 - (await spentToday(ctx.db, automation.id)) - costOfTokens(0);
  const perToken = (costOfTokens(1_000_000) - costOfTokens(0)) / 1_000_000;
  const byCost = perToken > 0 ? Math.floor(freeMicro / perToken) : freeMicro >= 0 ? Infinity : 0;
  const maxTokens = Math.min(asked.max_tokens ?? usualTokens, freeTokens, byCost);
  if (maxTokens < Math.min(fewestTokens, asked.max_tokens ?? usualTokens)) throw capped(byCost < freeTokens);
  const [micro, tokens] = [costOfTokens(maxTokens), inputTokens + maxTokens];
  await spend(ctx.db, runId, { heldMicro: micro, heldTokens: tokens });
  return { runId, micro, tokens, maxTokens, name, isShort };
}

/** Makes the runner end the run. The transaction of the call is rolled back. */
function capped(isCost: boolean): AppError {
  if (isCost) return new AppError('plan_limit', 'The cost cap of the day is reached.', { cap: 'cost_cap' });
  return new AppError('plan_limit', 'The run has used the tokens it may use.', { cap: 'token_cap' });
}

async function settleSpent(ctx: AfterCommitContext, reservation: Reservation, tokens: Tokens | null): Promise<void> {
  const { runId, micro, tokens: held, name } = reservation;
  const used = tokens ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
  await ctx.transact(async (inner) => {
    const automation = await lockAutomation(inner.db, ctx.caller.id);
    const cost = costOf(name, used, ctx.now) ?? 0;
    await spend(inner.db, runId, {
      micro: cost,
      tokens: used.input + used.output,
      calls: 1,
      heldMicro: -micro,
      heldTokens: -held,
    });
    const run = await findRun(inner.db, runId);
    const isOverCost =
      (await spentToday(inner.db, automation.id)) >= automation.cost_cap_daily_usd * 1_000_000 && cost > 0;
    if (isOverCost) await endByCap(inner.db, runId, 'cost_cap');
    else if (run && Number(run.llm_tokens) >= automation.max_llm_tokens) await endByCap(inner.db, runId, 'token_cap');
  });
}
