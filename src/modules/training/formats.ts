// The form of a line of training data on each platform. Sources: OpenAI «Supervised fine-tuning» and «Direct preference
// optimization», Together AI «Data preparation», Hugging Face TRL «Dataset formats», Axolotl «Dataset formats»
// (chat_template).
import type { Message, Pair, Platform } from './pair.ts';

type Sft = Extract<Pair, { kind: 'sft' }>;
type Dpo = Extract<Pair, { kind: 'dpo' }>;

const buildAnswerMessages = (content: string): Message[] => [{ role: 'assistant', content }];
const toMessages = ({ prompt, answer }: Sft) => ({ messages: [...prompt, ...buildAnswerMessages(answer)] });
const toPreference = ({ prompt, answer, rejected }: Dpo) => ({
  input: { messages: prompt },
  preferred_output: buildAnswerMessages(answer),
  non_preferred_output: buildAnswerMessages(rejected),
});
/**
 * Together requires alternating turns of user and assistant that begin with the user, after at most one system message.
 * Adjacent turns of one role are joined, and a later system message becomes a turn of the user.
 */
function mergeAdjacentTurns(all: readonly Message[]): Message[] {
  const turns: Message[] = [];
  for (const { role, content } of all) {
    const as = role === 'system' && turns.length > 0 ? 'user' : role;
    const last = turns.at(-1);
    if (last?.role === as) last.content += `\n\n${content}`;
    else if (as !== 'assistant' || last?.role === 'user') turns.push({ role: as, content });
  }
  return turns;
}
const formatPromptText = (prompt: readonly Message[]) => prompt.map(({ content }) => content).join('\n\n');
const sharing: Record<Message['role'], string> = { system: 'system', user: 'human', assistant: 'gpt' };

const sft: Record<Platform, (pair: Sft) => object> = {
  openai: toMessages,
  together: ({ prompt, answer }) => ({ messages: mergeAdjacentTurns([...prompt, ...buildAnswerMessages(answer)]) }),
  huggingface: toMessages,
  axolotl: (pair) => ({
    conversations: toMessages(pair).messages.map(({ role, content }) => ({ from: sharing[role], value: content })),
  }),
  generic: ({ prompt, answer, weight }) => ({ prompt: formatPromptText(prompt), completion: answer, weight }),
};

const dpo: Record<Platform, (pair: Dpo) => object> = {
  openai: (pair) => ({
    ...toPreference(pair),
    input: { messages: pair.prompt, tools: [], parallel_tool_calls: true },
  }),
  together: (pair) => toPreference({ ...pair, prompt: mergeAdjacentTurns(pair.prompt) }),
  huggingface: ({ prompt, answer, rejected }) => ({
    prompt,
    chosen: buildAnswerMessages(answer),
    rejected: buildAnswerMessages(rejected),
  }),
  axolotl: ({ prompt, answer, rejected }) => ({
    messages: prompt,
    chosen: buildAnswerMessages(answer)[0],
    rejected: buildAnswerMessages(rejected)[0],
  }),
  generic: ({ prompt, answer, rejected, weight }) => ({
    prompt: formatPromptText(prompt),
    chosen: answer,
    rejected,
    weight,
  }),
};

/** A pair as a line for a platform. Embedding models are trained with triplets on all platforms. */
export function formatLine(platform: Platform, pair: Pair): object {
  if (pair.kind === 'sft') return sft[platform](pair);
  if (pair.kind === 'dpo') return dpo[platform](pair);
  const { anchor, positive, negative } = pair;
  return { anchor, positive, negative };
}
