import type { Action } from '#kernel/action';
import type { ModelAccess } from '#platform/llm';
import { z } from 'zod';
import { listNamedAddresses, type ReadRequest } from './read-request.ts';

const answer = z.object({
  kind: z.enum(['action', 'clarification', 'noop']),
  action: z.string().nullable(),
  payload: z.string().nullable().describe('The fields of the action, as JSON text.'),
  question: z.string().nullable(),
  reason: z.string().nullable(),
});

/**
 * Lets a language model read a request that the fixed forms do not cover. Its answer is not trusted: the action's
 * schema checks the payload, and a recipient that the request does not name gets a question back.
 */
export async function translateRequest(
  llm: ModelAccess,
  actions: readonly Action[],
  request: string,
  now: Date,
): Promise<ReadRequest> {
  const read = await llm.object({ system: formatInstructions(actions, now), prompt: request, schema: answer });
  if (read.kind === 'noop') return { kind: 'noop', reason: read.reason ?? 'There is nothing to do.' };
  const action = actions.find((each) => each.name === read.action);
  if (read.kind === 'clarification' || !action) {
    return { kind: 'clarification', question: read.question ?? 'Which action should be drafted?' };
  }
  const parsed = action.payload.safeParse(parseJson(read.payload));
  if (!parsed.success) {
    return {
      kind: 'clarification',
      question: `To draft ${action.name} I still need: ${z.prettifyError(parsed.error)}`,
    };
  }
  const unnamed = action.target(parsed.data).recipients.filter((recipient) => !isNamed(recipient, request));
  if (unnamed.length) {
    return {
      kind: 'clarification',
      question: `Which address do you mean by ${unnamed.join(', ')}? Say it in the request.`,
    };
  }
  return { kind: 'action', action: action.name, payload: parsed.data };
}

function formatInstructions(actions: readonly Action[], now: Date): string {
  const known = actions.map(({ name, summary, payload }) => {
    return `${name}: ${summary} Fields: ${JSON.stringify(z.toJSONSchema(payload, { io: 'input' }))}`;
  });
  return [
    'You turn one request of a person into one action, which the person will see and decide about.',
    `It is ${now.toISOString()}. Actions:`,
    ...known,
    'Never invent an address, a date or a name: when something needed is not in the request, answer clarification with a question.',
    'When the request asks for nothing to be written, answer noop with the reason.',
  ].join('\n');
}

/** A part of an address is another address: `ana@example.com` is in `diana@example.com`. */
function isNamed(recipient: string, request: string): boolean {
  const address = (/<([^<>]+)>/.exec(recipient)?.[1] ?? recipient).toLowerCase();
  return listNamedAddresses(request).some((named) => named.toLowerCase() === address);
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
