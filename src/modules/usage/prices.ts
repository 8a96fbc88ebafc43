import type { LlmProvider } from '#platform/llm';

/** US dollars per million tokens. If the cache has no separate price, its price is that of the input. */
export type Rates = { input: number; cachedInput: number; cacheWrite: number; output: number };

/**
 * The price of a model from a day on, the first day on which it is known. A model is found by its name, with or without
 * a date. `long` applies to the whole question when its input is longer than `over` tokens.
 */
export type Price = {
  provider: LlmProvider;
  model: string;
  from: `${number}-${number}-${number}`;
  rates: Rates;
  long?: { over: number; rates: Rates };
  source: string;
};

const anthropic = {
  provider: 'anthropic',
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
} as const;
const openai = { provider: 'openai', source: 'https://developers.openai.com/api/docs/pricing' } as const;
const groq = { provider: 'groq', source: 'https://groq.com/pricing' } as const;

function buildRates(input: number, cachedInput: number, cacheWrite: number, output: number): Rates {
  return { input, cachedInput, cacheWrite, output };
}

/** OpenAI: twice the input and one and a half times the output when the input is longer than this. */
function buildLongOpenaiRates({ input, cachedInput, cacheWrite, output }: Rates): NonNullable<Price['long']> {
  return { over: 272_000, rates: buildRates(2 * input, 2 * cachedInput, 2 * cacheWrite, 1.5 * output) };
}

function withLong(price: Omit<Price, 'provider' | 'source' | 'long'>): Price {
  return { ...openai, ...price, long: buildLongOpenaiRates(price.rates) };
}

/**
 * Standard prices, looked up on 2026-11-21. A changed price is a new line with its day: earlier questions keep the
 * price of their time. A model that is not listed has no known cost.
 */
export const prices: readonly Price[] = [
  { ...anthropic, model: 'claude-fable-5-1', from: '2026-09-23', rates: buildRates(10, 0.25, 12.5, 50) },
  { ...anthropic, model: 'claude-fable-5', from: '2026-06-01', rates: buildRates(10, 1, 12.5, 50) },
  { ...anthropic, model: 'claude-opus-5-5', from: '2026-09-23', rates: buildRates(4, 0.2, 5, 20) },
  { ...anthropic, model: 'claude-opus-5', from: '2026-07-24', rates: buildRates(5, 0.5, 6.25, 25) },
  { ...anthropic, model: 'claude-opus-4-8', from: '2026-06-01', rates: buildRates(5, 0.5, 6.25, 25) },
  { ...anthropic, model: 'claude-opus-4-7', from: '2026-06-01', rates: buildRates(5, 0.5, 6.25, 25) },
  { ...anthropic, model: 'claude-opus-4-6', from: '2026-06-01', rates: buildRates(5, 0.5, 6.25, 25) },
  { ...anthropic, model: 'claude-opus-4-5', from: '2026-06-01', rates: buildRates(5, 0.5, 6.25, 25) },
  { ...anthropic, model: 'claude-sonnet-5-5', from: '2026-10-07', rates: buildRates(2, 0.1, 2.5, 10) },
  { ...anthropic, model: 'claude-sonnet-5-5', from: '2026-09-28', rates: buildRates(2, 0.2, 2.5, 10) },
  { ...anthropic, model: 'claude-sonnet-5', from: '2026-07-24', rates: buildRates(2, 0.2, 2.5, 10) },
  { ...anthropic, model: 'claude-sonnet-4-6', from: '2026-06-01', rates: buildRates(3, 0.3, 3.75, 15) },
  { ...anthropic, model: 'claude-sonnet-4-5', from: '2026-06-01', rates: buildRates(3, 0.3, 3.75, 15) },
  {
    ...anthropic,
    model: 'claude-haiku-5-5',
    from: '2026-10-07',
    rates: buildRates(0.1, 0.01, 0.125, 0.5),
    long: { over: 100_000, rates: buildRates(0.5, 0.05, 0.625, 2.5) },
  },
  { ...anthropic, model: 'claude-haiku-4-5', from: '2026-06-01', rates: buildRates(1, 0.1, 1.25, 5) },

  withLong({ model: 'gpt-6.2-sol', from: '2026-11-21', rates: buildRates(2, 0.1, 2.5, 10) }),
  withLong({ model: 'gpt-6.1-sol', from: '2026-09-29', rates: buildRates(2, 0.1, 2.5, 10) }),
  withLong({ model: 'gpt-6.1-terra', from: '2026-10-26', rates: buildRates(1, 0.05, 1.25, 5) }),
  withLong({ model: 'gpt-6-sol', from: '2026-09-22', rates: buildRates(2, 0.2, 2.5, 10) }),
  withLong({ model: 'gpt-6-luna', from: '2026-09-22', rates: buildRates(0.1, 0.01, 0.125, 0.5) }),
  withLong({ model: 'gpt-5.6-terra', from: '2026-10-26', rates: buildRates(2, 0.2, 2.5, 12) }),
  withLong({ model: 'gpt-5.5', from: '2026-10-26', rates: buildRates(5, 0.5, 5, 30) }),
  withLong({ model: 'gpt-5.4', from: '2026-06-01', rates: buildRates(2.5, 0.25, 2.5, 15) }),
  { ...openai, model: 'gpt-5.4-mini', from: '2026-06-01', rates: buildRates(0.75, 0.075, 0.75, 4.5) },
  { ...openai, model: 'gpt-5.4-nano', from: '2026-06-01', rates: buildRates(0.2, 0.02, 0.2, 1.25) },
  { ...openai, model: 'gpt-5-mini', from: '2026-06-01', rates: buildRates(0.25, 0.025, 0.25, 2) },
  { ...openai, model: 'gpt-5-nano', from: '2026-06-01', rates: buildRates(0.05, 0.005, 0.05, 0.4) },

  { ...groq, model: 'openai/gpt-oss-120b', from: '2026-06-04', rates: buildRates(0.15, 0.075, 0.15, 0.6) },
  { ...groq, model: 'openai/gpt-oss-20b', from: '2026-06-04', rates: buildRates(0.075, 0.0375, 0.075, 0.3) },
  { ...groq, model: 'llama-3.3-70b-versatile', from: '2026-06-04', rates: buildRates(0.59, 0.59, 0.59, 0.79) },
  { ...groq, model: 'llama-3.1-8b-instant', from: '2026-06-04', rates: buildRates(0.05, 0.05, 0.05, 0.08) },
];
