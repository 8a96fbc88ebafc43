import { z } from 'zod';

/** One turn of a conversation, in the form that all platforms share. */
export const storedMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string().max(100_000),
});
export type Message = z.output<typeof storedMessage>;

/** An example for a model: an answer, a better and a worse one, or similar and different texts. */
export type Pair =
  | { kind: 'sft'; prompt: Message[]; answer: string; weight: number }
  | { kind: 'dpo'; prompt: Message[]; answer: string; rejected: string; weight: number }
  | { kind: 'triplet'; anchor: string; positive: string; negative: string };

/** Types that `training_export` accepts; the download route calls the last one `embedding_triplets`. */
export const exportTypes = ['domain_sft', 'behavioral_sft', 'dpo', 'embedding'] as const;
export const parts = [
  'domain_sft',
  'behavioral_sft',
  'dpo',
  'embedding_triplets',
  'imported_sft',
  'imported_dpo',
] as const;
export type Part = (typeof parts)[number];
export const datasets = [...parts, 'all'] as const;
export type Dataset = (typeof datasets)[number];
export const platforms = ['openai', 'together', 'huggingface', 'axolotl', 'generic'] as const;
export type Platform = (typeof platforms)[number];

/** The weight of an imported pair relative to one from memories. */
export const importedWeight = 0.1;
