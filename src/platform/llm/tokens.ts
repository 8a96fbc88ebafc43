import type { LanguageModelUsage } from 'ai';
import type { Tokens } from './question.ts';

const mostTokens = 100_000_000;

/** The usage that a provider reports; null when it reports none, or impossible numbers. */
export function readTokens({
  inputTokens,
  outputTokens,
  inputTokenDetails: details,
}: LanguageModelUsage): Tokens | null {
  const [input, output] = [parseTokenCount(inputTokens), parseTokenCount(outputTokens)];
  if (!input || output === null) return null; // every question has tokens
  const cachedInput = Math.min(parseTokenCount(details?.cacheReadTokens) ?? 0, input);
  const cacheWrite = Math.min(parseTokenCount(details?.cacheWriteTokens) ?? 0, input - cachedInput);
  return { input, cachedInput, cacheWrite, output };
}

function parseTokenCount(figure: number | undefined): number | null {
  return figure !== undefined && Number.isSafeInteger(figure) && figure >= 0 && figure <= mostTokens ? figure : null;
}
