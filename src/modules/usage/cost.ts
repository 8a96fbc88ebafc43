// Computes the cost of a model's tokens.
import type { Model, ModelName, Tokens } from '#platform/llm';
import { embeddingPrices } from './embedding-prices.ts';
import { prices, type Price, type Rates } from './prices.ts';

/** A price that the operator of this server set, in US dollars per million tokens. */
export type OwnPrice = { model: string; input: number; output: number };

/** The prices that costs are computed with. */
export type Pricing = {
  /** The cost in millionths of a US dollar; null when the price is unknown. */
  computeCost(model: Model, tokens: Tokens, at: Date): number | null;
  /** What counts toward the caps: an unknown price counts as the most expensive known one. */
  computeCharge(model: Model, tokens: Tokens, at: Date): number;
};

/** The operator's prices come first, then the list. A model at a private address costs nothing. */
export function createPricing(own: readonly OwnPrice[]): Pricing {
  function computeCost({ isPrivate, ...name }: Model, tokens: Tokens, at: Date): number | null {
    const set = findModel(own, name.model);
    if (set) return sum(tokens, toFlatRates(set));
    return computeListCost(name, tokens, at) ?? (isPrivate ? 0 : null);
  }
  return {
    computeCost,
    computeCharge: (model, tokens, at) => computeCost(model, tokens, at) ?? sum(tokens, findDearestRates(at)),
  };
}

/** The prices of embeddings; the same rules with their own list. */
export type EmbeddingPricing = {
  computeCost(model: Model, tokens: number): number | null;
  computeCharge(model: Model, tokens: number): number;
};

/** A charge is rounded up, so that many short texts together count. */
export function createEmbeddingPricing(own: readonly OwnPrice[]): EmbeddingPricing {
  const dearest = Math.max(...embeddingPrices.map(({ usd }) => usd));
  const findRate = ({ model, isPrivate }: Model) =>
    findModel(own, model)?.input ?? findModel(embeddingPrices, model)?.usd ?? (isPrivate ? 0 : null);
  return {
    computeCost(model, tokens) {
      const rate = findRate(model);
      return rate === null ? null : Math.round(tokens * rate);
    },
    computeCharge: (model, tokens) => Math.ceil(tokens * (findRate(model) ?? dearest)),
  };
}

function findModel<Each extends { model: string }>(known: readonly Each[], asked: string): Each | undefined {
  return known.find(({ model }) => model === asked) ?? known.find(({ model }) => isSameModel(model, asked));
}

/** The cost at the list price of a time, in millionths of a US dollar; null for a model that is not on the list. */
export function computeListCost(name: ModelName, tokens: Tokens, at: Date): number | null {
  const price = findPrice(name, at);
  if (!price) return null;
  return sum(tokens, price.long && tokens.input > price.long.over ? price.long.rates : price.rates);
}

/** Dollars per million tokens equal millionths of a dollar per token. */
function sum({ input, cachedInput, cacheWrite, output }: Tokens, rates: Rates): number {
  const plainInput = input - cachedInput - cacheWrite;
  return Math.round(
    plainInput * rates.input + cachedInput * rates.cachedInput + cacheWrite * rates.cacheWrite + output * rates.output,
  );
}

function toFlatRates({ input, output }: OwnPrice): Rates {
  return { input, cachedInput: input, cacheWrite: input, output };
}

/** The highest price on the list for each kind of tokens. */
function findDearestRates(at: Date): Rates {
  const day = at.toISOString().slice(0, 10);
  const known = prices.filter(({ from }) => from <= day).flatMap(({ rates, long }) => [rates, long?.rates ?? rates]);
  const most = (kind: keyof Rates) => Math.max(0, ...known.map((rates) => rates[kind]));
  return {
    input: most('input'),
    cachedInput: most('input'), // it is unknown whether its cache costs less
    cacheWrite: most('cacheWrite'),
    output: most('output'),
  };
}

/** The price of a model at a given time. */
function findPrice({ provider, model }: ModelName, at: Date): Price | undefined {
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
