import type { AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { MeteredLlm } from '#modules/usage';
import { LlmFailure, type Tokens } from '#platform/llm';
import { z } from 'zod';
import { reconcileCost, reserveCost, type Reservation, type SpentAmounts } from '../cost-caps.ts';

const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().max(100_000) });

const input = z.strictObject({
  messages: z.array(message).min(1).max(200).optional(),
  prompt: z.string().min(1).max(100_000).optional().describe('Instead of messages.'),
  system: z.string().max(100_000).optional(),
  model: z
    .string()
    .max(100)
    .optional()
    .describe(
      "The server's fast model, by name; every other name uses the main one. Default: the model of the automation.",
    ),
  max_tokens: z.number().int().min(1).max(16_000).optional(),
  temperature: z.number().min(0).max(1).optional(),
});

export function createLlmComplete({ llm }: { llm: MeteredLlm | null }) {
  return defineOperation({
    name: 'automation_llm_complete',
    summary: "Ask the server's language model, within the caps of the automation. Only code of a run can call it.",
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
        throw new AppError(
          'forbidden',
          'automation_llm_complete is only for the code of an automation. Call it there.',
        );
      if (!asked.messages === !asked.prompt) throw new AppError('invalid_input', 'Send either messages or prompt.');
      if (!llm)
        throw new AppError('unavailable', 'No language model is set on this server. Its operator sets THALAMUS_LLM_*.');
      return reserveCost(ctx, llm, { question: getQuestionTexts(asked), request: asked });
    },
    async afterCommit(ctx, reservation, asked) {
      if (!llm) throw new Error('a reservation needs a model');
      const used = { tokens: 0, micro: 0, calls: 0 };
      try {
        return await ask(ctx, llm, { reservation, asked, used });
      } catch (error) {
        if (!(error instanceof LlmFailure)) throw error;
        const message = `The language model returned no answer: ${error.message}`;
        throw new AppError('upstream_failed', message, {}, { cause: error });
      } finally {
        await reconcileCost(ctx, reservation, used);
      }
    },
  });
}

async function ask(
  ctx: AfterCommitContext,
  llm: MeteredLlm,
  { reservation, asked, used }: { reservation: Reservation; asked: CompletionInput; used: SpentAmounts },
) {
  const { isShort, maxTokens, model } = reservation;
  const usage = { input_tokens: 0, output_tokens: 0 };
  let stop_reason: 'end_turn' | 'max_tokens' = 'end_turn';
  const question = {
    ...getQuestionTexts(asked),
    isShort,
    maxOutputTokens: maxTokens,
    ...(asked.temperature !== undefined && { temperature: asked.temperature }),
    onSpent({ input, output }: Tokens) {
      Object.assign(usage, { input_tokens: input, output_tokens: output });
      used.tokens = input + output;
    },
    onCut: () => void (stop_reason = 'max_tokens'),
  };
  const text = await llm.for(ctx, 'automation', (micro) => Object.assign(used, { micro, calls: 1 })).text(question);
  return { text, model, usage, stop_reason };
}

type CompletionInput = z.output<typeof input>;

function getQuestionTexts({ messages, prompt = '', system }: CompletionInput) {
  return { prompt: messages ?? prompt, ...(system !== undefined && { system }) };
}
