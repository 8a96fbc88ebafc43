// Reads training data from other systems: JSON Lines with conversations or preferences, in the forms that platforms
// use.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Message } from './pair.ts';

export type ImportedPair = { prompt: Message[]; answer: string; rejected: string | null };

const mostPairs = 50_000;
const text = z.string().min(1).max(100_000);
const roles: Record<string, Message['role']> = {
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  system: 'system',
};
const message = z
  .object({ role: z.string(), content: text })
  .or(z.object({ from: z.string(), value: text }).transform(({ from, value }) => ({ role: from, content: value })))
  .refine(({ role }) => role in roles, 'has a role that is not system, user or assistant')
  .transform(({ role, content }): Message => ({ role: roles[role]!, content }));
const messages = z.array(message).min(1).max(200);
const prompt = messages.or(text.transform((content): Message[] => [{ role: 'user', content }]));
const answer = text
  .or(messages.transform((all) => all.at(-1)!.content))
  .or(message.transform(({ content }) => content));

const shapes = z.union([
  z
    .object({ input: z.object({ messages }), preferred_output: answer, non_preferred_output: answer })
    .transform((line): ImportedPair => ({
      prompt: line.input.messages,
      answer: line.preferred_output,
      rejected: line.non_preferred_output,
    })),
  z
    .object({ prompt, chosen: answer, rejected: answer })
    .transform((line): ImportedPair => ({ prompt: line.prompt, answer: line.chosen, rejected: line.rejected })),
  z
    .object({ messages, chosen: answer, rejected: answer })
    .transform((line): ImportedPair => ({ prompt: line.messages, answer: line.chosen, rejected: line.rejected })),
  z.object({ messages }).transform((line, ctx) => toImportedPair(line.messages, ctx)),
  z.object({ conversations: messages }).transform((line, ctx) => toImportedPair(line.conversations, ctx)),
  z
    .object({ prompt, completion: answer })
    .transform((line): ImportedPair => ({ prompt: line.prompt, answer: line.completion, rejected: null })),
  z
    .object({ instruction: text, input: z.string().max(100_000).optional(), output: text })
    .transform(({ instruction, input, output }): ImportedPair => ({
      prompt: [{ role: 'user', content: input ? `${instruction}\n\n${input}` : instruction }],
      answer: output,
      rejected: null,
    })),
]);

function toImportedPair(all: readonly Message[], ctx: z.RefinementCtx): ImportedPair {
  const last = all.at(-1);
  if (last?.role === 'assistant' && all.length > 1)
    return { prompt: all.slice(0, -1), answer: last.content, rejected: null };
  ctx.addIssue({ code: 'custom', message: 'ends without an answer of the assistant' });
  return z.NEVER;
}

/** The pairs of a JSON Lines text. Throws `invalid_input` that names the first line it cannot read. */
export function readPairs(content: string): ImportedPair[] {
  const pairs: ImportedPair[] = [];
  for (const [at, line] of content.split('\n').entries()) {
    if (!line.trim()) continue;
    if (pairs.length >= mostPairs)
      throw new AppError('payload_too_large', `At most ${mostPairs} pairs at once. Split the file.`);
    pairs.push(readLine(line, at + 1));
  }
  if (!pairs.length)
    throw new AppError('invalid_input', 'content: contains no pairs. Send JSON Lines, one pair on each line.');
  return pairs;
}

function readLine(line: string, number: number): ImportedPair {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new AppError('invalid_input', `Line ${number} is not JSON. Send JSON Lines, one pair on each line.`);
  }
  const parsed = shapes.safeParse(json);
  if (parsed.success && parsed.data.prompt.some(({ role }) => role === 'user')) return parsed.data;
  throw new AppError(
    'invalid_input',
    `Line ${number} is not a pair. Use {"messages": […]} with a user whom the assistant answers at the end, or {"prompt", "chosen", "rejected"}.`,
  );
}

/** Imported pairs as text that people and searches can read. */
export function formatPairsText(pairs: readonly ImportedPair[]): string {
  return pairs
    .map(({ prompt, answer: said }) => `${prompt.map(({ content }) => content).join('\n')}\n${said}`)
    .join('\n\n');
}
