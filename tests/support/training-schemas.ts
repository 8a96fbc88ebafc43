// The lines that platforms take for fine-tuning, as they publish them. A line with another field fails.
import { z } from 'zod';
import type { Platform } from '../../src/modules/training/pair.ts';

const text = z.string().min(1);
const createTurnSchema = <Role extends string>(role: Role) => z.strictObject({ role: z.literal(role), content: text });
const turn = z.union([createTurnSchema('system'), createTurnSchema('user'), createTurnSchema('assistant')]);
const answer = createTurnSchema('assistant');
const isAnswered = (all: readonly { role: string }[]) => all.at(-1)?.role === 'assistant' && all.some(isUser);
const isUser = ({ role }: { role: string }) => role === 'user';
const conversation = z.array(turn).min(2).refine(isAnswered, 'ends with no answer to a user');
const oneAnswer = z.array(answer).length(1);

/** Together refuses a file in which a conversation begins with the assistant, or in which turns do not alternate. */
const isAlternating = (all: readonly { role: string }[]) => {
  const turns = all[0]?.role === 'system' ? all.slice(1) : all;
  return turns.every(({ role }, at) => role === (at % 2 ? 'assistant' : 'user'));
};

/** https://docs.together.ai/docs/fine-tuning/data-preparation and …/preference-tuning */
const together = {
  sft: z.strictObject({ messages: conversation.refine(isAlternating, 'does not alternate') }),
  dpo: z.strictObject({
    input: z.strictObject({ messages: z.array(turn).min(1).refine(isAlternating, 'does not alternate') }),
    preferred_output: oneAnswer,
    non_preferred_output: oneAnswer,
  }),
};

/** https://developers.openai.com/api/docs/guides/supervised-fine-tuning and …/direct-preference-optimization */
const openai = {
  sft: z.strictObject({ messages: conversation }),
  dpo: z.strictObject({
    input: z.strictObject({
      messages: z.array(turn).min(1),
      tools: z.array(z.unknown()),
      parallel_tool_calls: z.boolean(),
    }),
    preferred_output: oneAnswer,
    non_preferred_output: oneAnswer,
  }),
};

/** https://huggingface.co/docs/trl/dataset_formats: conversational language modelling and preference */
const huggingface = {
  sft: z.strictObject({ messages: conversation }),
  dpo: z.strictObject({ prompt: z.array(turn).min(1), chosen: oneAnswer, rejected: oneAnswer }),
};

/**
 * https://docs.axolotl.ai/docs/dataset-formats/conversation.html: `chat_template` with `from` and `value`, and
 * https://docs.axolotl.ai/docs/rlhf.html: `chat_template.default`
 */
const axolotl = {
  sft: z.strictObject({
    conversations: z
      .array(z.strictObject({ from: z.enum(['system', 'human', 'gpt']), value: text }))
      .min(2)
      .refine((all) => all.at(-1)?.from === 'gpt', 'ends without an answer'),
  }),
  dpo: z.strictObject({ messages: z.array(turn).min(1), chosen: answer, rejected: answer }),
};

/** Ours: named as TRL and Together name them (`prompt`, `completion`, `chosen`, `rejected`), with the weight beside them. */
const generic = {
  sft: z.strictObject({ prompt: text, completion: text, weight: z.number().positive() }),
  dpo: z.strictObject({ prompt: text, chosen: text, rejected: text, weight: z.number().positive() }),
};

/** https://sbert.net/docs/sentence_transformer/training_overview.html: no platform here has a form of its own */
const triplet = z.strictObject({ anchor: text, positive: text, negative: text });

/** The published form of a line, by platform and by the kind of a pair. */
export const published: Record<Platform, { sft: z.ZodType; dpo: z.ZodType; triplet: z.ZodType }> = {
  openai: { ...openai, triplet },
  together: { ...together, triplet },
  huggingface: { ...huggingface, triplet },
  axolotl: { ...axolotl, triplet },
  generic: { ...generic, triplet },
};
