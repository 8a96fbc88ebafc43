import type { ModelName, Tokens } from '#platform/llm';
import { prices, type Price } from './prices.ts';

/** The cost of a model's tokens at a time, in millionths of a US dollar; null when its price is unknown. */
export function costOf(name: ModelName, tokens: Tokens, at: Date): number | null {
  const price = priceOf(name, at);
  if (!price) return null;
  const { input, cachedInput, cacheWrite, output } = tokens;
  const rates = price.long && input > price.long.over ? price.long.rates : price.rates;
  const plainInput = input - cachedInput - cacheWrite;
  // Dollars for a million tokens are millionths of a dollar for one.
  return Math.round(
    plainInput * rates.input + cachedInput * rates.cachedInput + cacheWrite * rates.cacheWrite + output * rates.output,
  );
}

/** The price of a model that held at a time. */
function priceOf({ provider, model }: ModelName, at: Date): Price | undefined {
  const day = at.toISOString().slice(0, 10);
  return prices
    .filter((price) => price.provider === provider && isSameModel(price.model, model) && price.from <= day)
    .reduce<Price | undefined>((last, price) => (last && last.from > price.from ? last : price), undefined);
}

/** `claude-haiku-4-5-20251001` and `claude-haiku-4-5-latest` are `claude-haiku-4-5`; `gpt-5-mini` is not `gpt-5`. */
function isSameModel(known: string, asked: string): boolean {
  if (!asked.startsWith(known)) return false;
  return /^(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)?$/.test(asked.slice(known.length));
}
