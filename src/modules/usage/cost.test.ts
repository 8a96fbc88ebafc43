import { expect, test } from 'vitest';
import { costOf } from './cost.ts';
import { prices } from './prices.ts';

const tokens = { input: 1_000, cachedInput: 0, cacheWrite: 0, output: 100 };
const anthropic = (model: string) => ({ provider: 'anthropic' as const, model });
const today = new Date('2026-11-21T12:00:00Z');

test('the cost of a question is that of its tokens, each kind at its own price', () => {
  // 700 × 2 + 200 × 0.1 + 100 × 2.5 + 100 × 10, in millionths of a dollar
  const mixed = { input: 1_000, cachedInput: 200, cacheWrite: 100, output: 100 };
  expect(costOf(anthropic('claude-sonnet-5-5'), mixed, today)).toBe(2_670);
});

test('a question keeps its cost after the price has changed', () => {
  const cached = { ...tokens, cachedInput: 1_000, output: 0 };
  expect(costOf(anthropic('claude-sonnet-5-5'), cached, new Date('2026-10-06T23:59:59Z'))).toBe(200);
  expect(costOf(anthropic('claude-sonnet-5-5'), cached, new Date('2026-10-07T00:00:00Z'))).toBe(100);
  expect(costOf(anthropic('claude-sonnet-5-5'), cached, new Date('2026-01-01T00:00:00Z'))).toBeNull();
});

test('a long question has a higher price for all its tokens', () => {
  const question = (input: number) => costOf(anthropic('claude-haiku-5-5'), { ...tokens, input }, today);
  expect(question(100_000)).toBe(10_050);
  expect(question(100_001)).toBe(50_251);
});

test('a dated name is the same model, and another name is not', () => {
  expect(costOf(anthropic('claude-haiku-4-5-20251001'), tokens, today)).toBe(1_500);
  expect(costOf({ provider: 'openai', model: 'gpt-5.4-mini-2026-03-17' }, tokens, today)).toBe(1_200);
  expect(costOf({ provider: 'openai', model: 'gpt-5.4-pro' }, tokens, today)).toBeNull();
});

test('a model without a price has an unknown cost, not 0', () => {
  expect(costOf({ provider: 'openai-compatible', model: 'claude-sonnet-5-5' }, tokens, today)).toBeNull();
  expect(costOf(anthropic('claude-9'), tokens, today)).toBeNull();
});

test('every price has a source and a real date, and is no higher from the cache', () => {
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
