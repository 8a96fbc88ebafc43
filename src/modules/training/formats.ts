// How each platform wants a line of training data. Sources: OpenAI «Supervised fine-tuning» and «Direct preference optimization»,
// Together AI «Data preparation», Hugging Face TRL «Dataset formats», Axolotl «Dataset formats» (chat_template).
import type { Message, Pair, Platform } from './pair.ts';

type Sft = Extract<Pair, { kind: 'sft' }>;
type Dpo = Extract<Pair, { kind: 'dpo' }>;

const said = (content: string): Message[] => [{ role: 'assistant', content }];
const messages = ({ prompt, answer }: Sft) => ({ messages: [...prompt, ...said(answer)] });
const preference = ({ prompt, answer, rejected }: Dpo) => ({
  input: { messages: prompt },
  preferred_output: said(answer),
  non_preferred_output: said(rejected),
});
/**
 * Together requires that user and assistant alternate, after a system message at most, and that the user begins. Adjacent
 * turns of one role are joined, and a later system message becomes a turn of the user.
 */
function alternating(all: readonly Message[]): Message[] {
  const turns: Message[] = [];
  for (const { role, content } of all) {
    const as = role === 'system' && turns.length > 0 ? 'user' : role;
    const last = turns.at(-1);
    if (last?.role === as) last.content += `\n\n${content}`;
    else if (as !== 'assistant' || last?.role === 'user') turns.push({ role: as, content });
  }
  return turns;
}
const asText = (prompt: readonly Message[]) => prompt.map(({ content }) => content).join('\n\n');
const sharing: Record<Message['role'], string> = { system: 'system', user: 'human', assistant: 'gpt' };

const sft: Record<Platform, (pair: Sft) => object> = {
  openai: messages,
  together: ({ prompt, answer }) => ({ messages: alternating([...prompt, ...said(answer)]) }),
  huggingface: messages,
  axolotl: (pair) => ({
    conversations: messages(pair).messages.map(({ role, content }) => ({ from: sharing[role], value: content })),
  }),
  generic: ({ prompt, answer, weight }) => ({ prompt: asText(prompt), completion: answer, weight }),
};

const dpo: Record<Platform, (pair: Dpo) => object> = {
  openai: (pair) => ({
    ...preference(pair),
    input: { messages: pair.prompt, tools: [], parallel_tool_calls: true },
  }),
  together: (pair) => preference({ ...pair, prompt: alternating(pair.prompt) }),
  huggingface: ({ prompt, answer, rejected }) => ({ prompt, chosen: said(answer), rejected: said(rejected) }),
  axolotl: ({ prompt, answer, rejected }) => ({
    messages: prompt,
    chosen: said(answer)[0],
    rejected: said(rejected)[0],
  }),
  generic: ({ prompt, answer, rejected, weight }) => ({ prompt: asText(prompt), chosen: answer, rejected, weight }),
};

/** A pair as a line for a platform. Embedding models are trained from triplets everywhere. */
export function lineFor(platform: Platform, pair: Pair): object {
  if (pair.kind === 'sft') return sft[platform](pair);
  if (pair.kind === 'dpo') return dpo[platform](pair);
  const { anchor, positive, negative } = pair;
  return { anchor, positive, negative };
}
