// A turn with a language model: it runs operations one after another, until it has an answer. It may read, note and
// draft; nothing that it chooses is sent or approved.
import { AppError } from '#kernel/errors';
import { LlmCapReached, type MeteredLlm } from '#modules/usage';
import { LlmFailure, type ModelAccess } from '#platform/llm';
import { z } from 'zod';
import { buildModelInstructions, outsideMark, buildPrompt, tools, type Tool } from './model-prompts.ts';
import { buildMemoryFields, noteStored } from './store-note.ts';
import { createTextPart } from './reply.ts';
import type { TurnStep } from '../store/bots.ts';
import type { TurnDeps, Turn } from './turn.ts';

const choice = z.object({
  operation: z
    .enum(tools.map(({ name }) => name))
    .nullable()
    .describe('What to run next; null when you answer.'),
  input: z.string().nullable().describe('The fields of the operation, as JSON text.'),
  answer: z.string().nullable().describe('The answer to the person, in plain text. It ends the turn.'),
});
type ModelChoice = z.output<typeof choice>;

const mostSteps = 6;
const timeoutMs = 30_000;
/** Longer texts are not short turns: the main model reads them. */
const longestShortPrompt = 3_000;
const longestResult = 6_000;

/**
 * Answers a message with a language model. False when it could not and nothing was done: the fixed rules then answer.
 * If the model fails after something was done, the effects stay, and the reply says so.
 */
export async function answerWithModel(parts: TurnDeps, llm: MeteredLlm, turn: Turn, said: string): Promise<boolean> {
  const requestId = `telegram-${turn.link.id}-${turn.updateId}`;
  const model = llm.for({ caller: turn.caller, requestId }, 'telegram');
  const steps: TurnStep[] = [...turn.bot.turn]; // of this turn, after a crash interrupted it
  try {
    const answer = await runUntilAnswered(parts, model, turn, said, steps);
    if (answer !== null) await turn.end([createTextPart(answer)]);
    return answer !== null;
  } catch (error) {
    if (!(error instanceof LlmFailure || error instanceof LlmCapReached)) throw error;
    const done = steps.flatMap(({ operation, result }) => describeDoneStep(operation, result));
    if (!done.length) return false;
    await turn.end([createTextPart([...done, `Then I could not continue: ${error.message}`].join('\n'))]);
    return true;
  }
}

/** The result of a writing step, in words for the person; nothing for other steps. */
function describeDoneStep(operation: string, result: string): string[] {
  const isNoted = operation === 'add_memory' && result.includes('"routing_check"');
  const draftUrl = /"approval_url":"([^"]+)"/.exec(result)?.[1];
  if (draftUrl) return [`A draft waits for your approval: ${draftUrl}`];
  return isNoted ? ['I noted it.'] : [];
}

async function runUntilAnswered(parts: TurnDeps, model: ModelAccess, turn: Turn, said: string, steps: TurnStep[]) {
  const system = buildModelInstructions(parts.calls, turn);
  for (let made = steps.length; made < mostSteps; made += 1) {
    const prompt = buildPrompt(turn, said, steps);
    const isShort = prompt.length <= longestShortPrompt;
    const chosen = await model.object({ system, prompt, schema: choice, isShort, timeoutMs });
    if (chosen.operation === null) return chosen.answer?.trim() || null;
    steps.push(await run(turn, steps, chosen, chosen.operation));
  }
  const prompt = `${buildPrompt(turn, said, steps)}\nAnswer now. No more operations can be run.`;
  const { answer } = await model.object({ system, prompt, schema: choice, isShort: false, timeoutMs });
  return answer?.trim() || null;
}

/** Runs the operation that the model chose. An error is returned to the model, which may choose another one. */
async function run(turn: Turn, steps: readonly TurnStep[], chosen: ModelChoice, operation: string): Promise<TurnStep> {
  const input = chosen.input ?? '{}';
  const tool = findTool(operation);
  const stepWith = (result: unknown): TurnStep => ({
    operation,
    input: input.slice(0, 4_000),
    result: formatToolResult(tool, result),
  });
  if (!tool) return stepWith({ error: `There is no operation ${operation}.` });
  if (tool.name === 'add_memory' && steps.some(({ result }) => result.startsWith(outsideMark.open))) {
    const error =
      'Text from outside was read in this turn, so nothing can be noted or changed in it. Show what you would note, and let the person send it.';
    return stepWith({ error });
  }
  try {
    const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(input));
    if (!tool.isWrite) return stepWith(await turn.ask(operation, fields));
    const answer = await turn.step(
      operation,
      { ...fields, ...getOwnFields(turn, tool) },
      {
        kept: ({ next: _rest, ...stored }) => stepWith(stored), // the rest of the call is not done yet
        async also(db, stored) {
          if (tool.name === 'add_memory') await noteStored(turn, db, String(stored['id']));
        },
      },
    );
    return stepWith(answer);
  } catch (error) {
    if (error instanceof AppError) return stepWith({ error: error.message });
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      return stepWith({ error: 'input must be a JSON object.' });
    throw error;
  }
}

/**
 * The parts of an input that the model does not choose: the other fields of a note, and that a draft is shown to the
 * person who wrote.
 */
function getOwnFields(turn: Turn, { name }: Tool): object {
  return name === 'add_memory' ? buildMemoryFields(turn) : { notify: ['inbox', 'telegram'] };
}

/** A result as the model reads it: complete if it is short, and marked when it contains other people's words. */
function formatToolResult(tool: Tool | undefined, result: unknown): string {
  const json = JSON.stringify(result);
  const cut = json.length > longestResult ? `${json.slice(0, longestResult)}… (cut)` : json;
  const isOutside = tool?.isOutside || /"source":"(?!human")/.test(json); // also an ingested memory
  if (!isOutside) return cut;
  return `${outsideMark.open}\n${cut.replaceAll(outsideMark.pattern, '')}\n${outsideMark.close}`;
}

function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
