// The most tokens that a question can use, computed before it is asked.
import { z } from 'zod';
import type { LlmProvider, Model, Question, Tokens } from './question.ts';

/** The longest answer to a question that sets no limit. Reasoning is part of it. */
const longestAnswer: Readonly<Record<LlmProvider, number>> = {
  anthropic: 16_000,
  openai: 16_000,
  groq: 16_000,
  'openai-compatible': 8_000,
};

/** What a provider adds to a question, and to each of its messages. */
const frameTokens = 64;

type LimitedQuestion = Question & { schema?: z.ZodType };

/**
 * Gives a question a limit for its answer: without one, its maximum cost would be unknown. A model at a private address
 * may support less than the limit and refuse it, so its answers are not limited.
 */
export function limitAnswer<Each extends Question>(question: Each, { provider, isPrivate }: Model): Each {
  const isLimited = question.maxOutputTokens !== undefined || (isPrivate && provider === 'openai-compatible');
  return isLimited ? question : { ...question, maxOutputTokens: longestAnswer[provider] };
}

/** The most that a question can use: no tokenizer makes more tokens than there are bytes. */
export function countMostTokens(
  {
    system = '',
    prompt,
    schema,
    maxOutputTokens,
  }: Pick<LimitedQuestion, 'system' | 'prompt' | 'schema' | 'maxOutputTokens'>,
  { provider }: Pick<Model, 'provider'>,
): Tokens {
  const messages = typeof prompt === 'string' ? [prompt] : prompt.map(({ content }) => content);
  const form = schema ? JSON.stringify(z.toJSONSchema(schema)) : '';
  const bytes = [system, form, ...messages].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const input = bytes + frameTokens * (messages.length + 1);
  // Writing to the provider's cache can cost more than plain input.
  return { input, cachedInput: 0, cacheWrite: input, output: maxOutputTokens ?? longestAnswer[provider] };
}
