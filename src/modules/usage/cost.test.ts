import { describe, expect, test } from 'vitest';
import { createPricing, computeListCost as computeCost } from './cost.ts';
import { prices } from './prices.ts';

const tokens = { input: 1_000, cachedInput: 0, cacheWrite: 0, output: 100 };
const buildModelName = (model: string) => ({ provider: 'anthropic' as const, model });
const today = new Date('2026-11-21T12:00:00Z');

test('the cost of a question is that of its tokens, each kind at its own price', () => {
  // 700 × 2 + 200 × 0.1 + 100 × 2.5 + 100 × 10, in millionths of a dollar
  const mixed = { input: 1_000, cachedInput: 200, cacheWrite: 100, output: 100 };
  expect(computeCost(buildModelName('claude-sonnet-5-5'), mixed, today)).toBe(2_670);
});

test('a question keeps its cost after the price has changed', () => {
  const cached = { ...tokens, cachedInput: 1_000, output: 0 };
  expect(computeCost(buildModelName('claude-sonnet-5-5'), cached, new Date('2026-10-06T23:59:59Z'))).toBe(200);
  expect(computeCost(buildModelName('claude-sonnet-5-5'), cached, new Date('2026-10-07T00:00:00Z'))).toBe(100);
  expect(computeCost(buildModelName('claude-sonnet-5-5'), cached, new Date('2026-01-01T00:00:00Z'))).toBeNull();
});

test('a long question has a higher price for all its tokens', () => {
  const question = (input: number) => computeCost(buildModelName('claude-haiku-5-5'), { ...tokens, input }, today);
  expect(question(100_000)).toBe(10_050);
  expect(question(100_001)).toBe(50_251);
});

test('a dated name is the same model, and another name is not', () => {
  expect(computeCost(buildModelName('claude-haiku-4-5-20251001'), tokens, today)).toBe(1_500);
  expect(computeCost({ provider: 'openai', model: 'gpt-5.4-mini-2026-03-17' }, tokens, today)).toBe(1_200);
  expect(computeCost({ provider: 'openai', model: 'gpt-5.4-pro' }, tokens, today)).toBeNull();
});

test('a model without a price has an unknown cost, not 0', () => {
  expect(computeCost({ provider: 'openai-compatible', model: 'claude-sonnet-5-5' }, tokens, today)).toBeNull();
  expect(computeCost(buildModelName('claude-9'), tokens, today)).toBeNull();
});

test('every price has a source and a real date, and a cached price is at most the plain one', () => {
  for (const { model, from, source, rates, long } of prices) {
    expect(new Date(from).toISOString(), model).toContain(from);
    expect(new URL(source).protocol).toBe('https:');
    for (const each of [rates, long?.rates ?? rates]) {
      expect(each.cachedInput, model).toBeLessThanOrEqual(each.input);
      expect(each.output, model).toBeGreaterThan(each.input);
    }
  }
  expect(new Set(prices.map(({ provider, model, from }) => [provider, model, from].join())).size).toBe(prices.length);
});

describe('what counts toward the caps', () => {
  const million = { input: 1_000_000, cachedInput: 0, cacheWrite: 0, output: 1_000_000 };
  const compatible = (model: string, isPrivate = false) => ({
    provider: 'openai-compatible' as const,
    model,
    isPrivate,
  });

  test('a model without a price counts as the most expensive known one, and its cost stays unknown', () => {
    const { computeCost: cost, computeCharge } = createPricing([]);
    expect(cost(compatible('mystery'), million, today)).toBeNull();
    expect(computeCharge(compatible('mystery'), million, today)).toBe(60_000_000); // $10 and $50 of claude-fable-5-1
  });

  test('a model at a private address counts nothing, unless it is priced', () => {
    expect(createPricing([]).computeCharge(compatible('llama3.1', true), million, today)).toBe(0);
    const own = [{ model: 'llama3.1', input: 0.5, output: 2 }];
    expect(createPricing(own).computeCharge(compatible('llama3.1', true), million, today)).toBe(2_500_000);
  });

  test('the operator’s price takes precedence over the list, and 0 is a price', () => {
    const own = [
      { model: 'claude-sonnet-5-5', input: 1, output: 1 },
      { model: 'ours', input: 0, output: 0 },
    ];
    const { computeCost: cost } = createPricing(own);
    expect(cost({ ...buildModelName('claude-sonnet-5-5'), isPrivate: false }, million, today)).toBe(2_000_000);
    expect(cost(compatible('ours'), million, today)).toBe(0);
  });
});
