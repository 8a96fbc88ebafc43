import { defineOperation } from '#kernel/operation';
import { LlmFailure, llmProviders } from '#platform/llm';
import { z } from 'zod';
import type { MeteredLlm } from '../metered-llm.ts';

const question = 'Answer with the word ready, and nothing else.';
const timeoutMs = 30_000;
const shownLetters = 200;

const output = z.object({
  works: z.boolean(),
  provider: z.enum(llmProviders).nullable(),
  model: z.string().nullable(),
  answer: z.string().nullable().describe('Its answer, shortened. Written by the model.'),
  problem: z.string().nullable().describe('The error, and what to do.'),
});

const none = {
  works: false,
  provider: null,
  model: null,
  answer: null,
  problem:
    'No language model is configured. It is optional: set THALAMUS_LLM_PROVIDER and THALAMUS_LLM_API_KEY to use one.',
};

export function checkLlm(llm: MeteredLlm | null) {
  return defineOperation({
    name: 'check_llm',
    summary: 'Ask the language model one short question to check its settings.',
    toolset: 'accounts',
    effect: 'external_read',
    access: { scope: 'workspace:admin', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/usage/check' }],
    input: z.strictObject({
      which: z
        .enum(['main', 'fast'])
        .default('main')
        .describe('fast: the model for short turns, if it is a separate one.'),
    }),
    output,
    errors: ['forbidden', 'plan_limit'],
    examples: [{ title: 'Does the model answer?', input: {} }],
    run: async () => null,
    async afterCommit(ctx, _run, { which }) {
      if (!llm) return none;
      const isShort = which === 'fast';
      const { provider, model } = llm.getModel({ isShort });
      const name = { provider, model };
      try {
        const answer = await llm.for(ctx, 'model_check').text({ prompt: question, isShort, timeoutMs });
        return { works: true, ...name, answer: answer.trim().slice(0, shownLetters), problem: null };
      } catch (error) {
        if (!(error instanceof LlmFailure)) throw error;
        return { works: false, ...name, answer: null, problem: error.message };
      }
    },
  });
}
