/** US dollars per million tokens of text. Standard prices of well-known models with the OpenAI protocol. */
export const embeddingPrices: readonly { model: string; usd: number; source: string }[] = [
  { model: 'text-embedding-3-small', usd: 0.02, source: 'https://developers.openai.com/api/docs/pricing' },
  { model: 'text-embedding-3-large', usd: 0.13, source: 'https://developers.openai.com/api/docs/pricing' },
  { model: 'text-embedding-ada-002', usd: 0.1, source: 'https://developers.openai.com/api/docs/pricing' },
  { model: 'gemini-embedding-001', usd: 0.15, source: 'https://ai.google.dev/gemini-api/docs/pricing' },
  { model: 'voyage-3-large', usd: 0.18, source: 'https://docs.voyageai.com/docs/pricing' },
];
