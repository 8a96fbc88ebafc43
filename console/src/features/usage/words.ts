const purposes: Readonly<Record<string, string>> = {
  act_on_integration: 'Free-text requests',
  automation_llm_complete: 'Automations',
  board_form_intake: 'Board forms',
  board_skill: 'Board skills',
  chat_summary: 'Chat summaries',
  embedding: 'Embeddings',
  model_check: 'Model tests',
  telegram: 'Telegram',
  web_agent: 'Web chat',
};

/** What a question was for, in words. */
export function getPurposeName(tag: string): string {
  return purposes[tag] ?? tag;
}

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const parts = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

const least = 0.0001;

/** Dollars; of less than a cent the first two digits that say something. */
export function formatMoney(usd: number): string {
  if (usd > 0 && usd < least) return `<${parts.format(least)}`;
  return usd > 0 && usd < 0.01 ? parts.format(usd) : dollars.format(usd);
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** A number of tokens, short. */
export function formatTokenCount(tokens: number): string {
  return compact.format(tokens);
}

/** «1 question», «12 questions». */
export function formatQuestionCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'request' : 'requests'}`;
}
