// The settings for the cost of language models, and for prices that no list has.
import { z } from 'zod';

/** US dollars per million tokens. */
type OwnRates = { input: number; output: number };
export type OwnPrice = OwnRates & { model: string };

/** Millionths of a US dollar a day; null: no cap. `trial` is for automations that nobody ever activated. */
export type LlmCaps = { person: number | null; workspace: number | null; trial: number | null };

/** Dollars a day, in millionths; `off` is null. */
function createDailyUsdSetting(usual: `${number}`) {
  return z
    .union([z.literal('off'), z.coerce.number().min(0).max(1_000_000)], {
      error: 'must be US dollars, such as 20, or off',
    })
    .default(Number(usual))
    .transform((usd) => (usd === 'off' ? null : Math.round(usd * 1_000_000)));
}

/**
 * `name=0` or `name=input/output`; several are separated by commas or spaces. A model's name may contain any other
 * character.
 */
const llmPrices = z.string().transform((text, ctx): OwnPrice[] => {
  const prices: OwnPrice[] = [];
  for (const each of text.split(/[\s,]+/).filter(Boolean)) {
    const price = readPrice(each);
    if (price) prices.push(price);
    else ctx.addIssue({ code: 'custom', message: `${each} is not a price. Write model=input/output, or model=0` });
  }
  return prices;
});

function readPrice(text: string): OwnPrice | null {
  const at = text.lastIndexOf('=');
  const [input, output = input, ...rest] = text.slice(at + 1).split('/');
  if (at < 1 || rest.length || !isRate(input) || !isRate(output)) return null;
  return { model: text.slice(0, at), input: Number(input), output: Number(output) };
}

function isRate(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,6}(?:\.\d{1,6})?$/.test(text);
}

/** The settings of what language models may cost. */
export const llmMoneySettings = {
  THALAMUS_LLM_DAILY_USD_PERSON: {
    schema: createDailyUsdSetting('20'),
    about:
      'The most US dollars that language models may cost one person per day (UTC), over all features. `off`: no cap. See [language models](docs/guide/language-models.md).',
    example: '20',
  },
  THALAMUS_LLM_DAILY_USD_WORKSPACE: {
    schema: createDailyUsdSetting('100'),
    about: 'The same for a whole workspace.',
    example: '100',
  },
  THALAMUS_LLM_DAILY_USD_TRIAL: {
    schema: createDailyUsdSetting('0.50'),
    about: 'The same for one person’s automations that were never activated.',
    example: '0.50',
  },
  THALAMUS_LLM_PRICES: {
    schema: llmPrices.default([]),
    about:
      'Your own prices: `model=input/output` in US dollars per million tokens, `model=0` for a free model. A model without a price counts as the most expensive known one, or as free at a private address.',
    example: 'llama3.1=0,my-gateway/large=2/10',
  },
};
