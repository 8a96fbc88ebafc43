// Calls a model through the library, and reads its answer.
import { EgressError, redactSecrets, type Egress } from '#platform/egress';
import type { FinishReason, LanguageModelUsage } from 'ai';
import { z } from 'zod';
import {
  createFailureFromEgressError,
  LlmFailure,
  classifyFailure,
  listModelSecrets,
  type FailureReason,
} from './failure.ts';
import type { ModelSettings } from './model-settings.ts';
import { openModel } from './open-model.ts';
import type { Question } from './question.ts';
import { createEgressFetch } from './through-egress.ts';
import { readTokens } from './tokens.ts';

const usualTimeoutMs = 60_000;
/** No caller may wait longer: the process of an older question is assumed dead. */
const longestTimeoutMs = 240_000;

/** One complete answer. */
export async function askText(egress: Egress, settings: ModelSettings, question: Question): Promise<string> {
  const { generateText } = await loadLibrary();
  return withOurErrors(settings, async () => {
    const { text, usage, finishReason } = await generateText(await buildCall(egress, settings, question, false));
    reportUsage(question, usage);
    return takeText(settings, question, { text, finishReason });
  });
}

/** An answer that matches a schema. Models without structured output get the schema as text. */
export async function askObject<Answer>(
  egress: Egress,
  settings: ModelSettings,
  question: Question & { schema: z.ZodType<Answer> },
): Promise<Answer> {
  try {
    return await askByForm(egress, settings, question);
  } catch (error) {
    if (!(error instanceof LlmFailure) || error.reason !== 'unsupported_form') throw error;
    const form = `Answer with one JSON object and nothing else, of this JSON Schema: ${JSON.stringify(z.toJSONSchema(question.schema))}`;
    const system = question.system ? `${question.system}\n${form}` : form;
    const answer = readObject(question.schema, await askText(egress, settings, { ...question, system }));
    if (answer === undefined) throw new LlmFailure(settings, 'no_answer');
    return answer;
  }
}

/** The answer while it is written. */
export async function* askStreamed(egress: Egress, settings: ModelSettings, question: Question) {
  const { streamText } = await loadLibrary();
  const stop = new AbortController();
  const signal = question.signal ? AbortSignal.any([question.signal, stop.signal]) : stop.signal;
  try {
    const call = await buildCall(egress, settings, { ...question, signal }, true);
    const { stream } = streamText({ ...call, onError: () => {} });
    for await (const part of stream) {
      if (part.type === 'text-delta') yield part.text;
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw new LlmFailure(settings, 'cancelled');
      if (part.type === 'finish') {
        reportUsage(question, part.totalUsage);
        const cut = findFailureReason(part.finishReason);
        if (cut) throw new LlmFailure(settings, cut);
      }
    }
  } catch (error) {
    throw translate(settings, error);
  } finally {
    stop.abort();
  }
}

async function askByForm<Answer>(
  egress: Egress,
  settings: ModelSettings,
  question: Question & { schema: z.ZodType<Answer> },
): Promise<Answer> {
  const { generateText, Output, NoObjectGeneratedError } = await loadLibrary();
  return withOurErrors(settings, async () => {
    try {
      const form = Output.object({ schema: question.schema });
      const call = await buildCall(egress, settings, question, false);
      const result = await generateText({ ...call, output: form });
      reportUsage(question, result.usage);
      return result.output;
    } catch (error) {
      if (!NoObjectGeneratedError.isInstance(error)) throw error;
      if (error.usage) reportUsage(question, error.usage);
      const answer = readObject(question.schema, error.text ?? '');
      if (answer !== undefined) return answer;
      throw new LlmFailure(settings, (error.finishReason && findFailureReason(error.finishReason)) ?? 'no_answer');
    }
  });
}

async function buildCall(egress: Egress, settings: ModelSettings, question: Question, isStreamed: boolean) {
  const { system, prompt, signal, maxOutputTokens, temperature, timeoutMs = usualTimeoutMs } = question;
  const opened = await openModel(
    settings,
    createEgressFetch(egress, settings, { timeoutMs: Math.min(timeoutMs, longestTimeoutMs), isStreamed }),
  );
  return {
    ...opened,
    prompt: typeof prompt === 'string' ? prompt : [...prompt],
    maxRetries: 0, // retries happen at the request, which knows whether one can help
    ...(system && { instructions: system }),
    ...(maxOutputTokens && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(signal && { abortSignal: signal }),
  };
}

async function loadLibrary() {
  const library = await import('ai');
  globalThis.AI_SDK_LOG_WARNINGS = false; // it would write to the console, past our log
  return library;
}

async function withOurErrors<Answer>(settings: ModelSettings, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw translate(settings, error);
  }
}

/**
 * The library wraps the errors of egress, and puts the question and answer into its own errors: neither is passed on.
 */
function translate(settings: ModelSettings, thrown: unknown): LlmFailure {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth += 1) {
    if (error instanceof LlmFailure) return error;
    if (error instanceof EgressError) return createFailureFromEgressError(settings, error);
    if (error.name === 'AbortError') return new LlmFailure(settings, 'cancelled');
  }
  if (!(thrown instanceof Error)) return new LlmFailure(settings, 'no_answer');
  const said = redactSecrets(thrown.message, listModelSecrets(settings)).slice(0, 500);
  const cause = Object.assign(new Error(said), { name: thrown.name });
  // An error that was reported in the middle of an answer.
  const status = 'statusCode' in thrown ? Number(thrown.statusCode) : 0;
  const reason = classifyFailure(`${status || ''} ${said}`);
  if (reason !== 'not_accepted') return new LlmFailure(settings, reason, { said, cause });
  return new LlmFailure(settings, 'no_answer', { cause });
}

function reportUsage(question: Question, usage: LanguageModelUsage): void {
  const tokens = readTokens(usage);
  if (tokens) question.onSpent?.(tokens);
}

type ModelOutput = { text: string; finishReason: FinishReason };

function takeText(settings: ModelSettings, { onCut }: Question, { text, finishReason }: ModelOutput): string {
  const failure = findFailureReason(finishReason);
  if (failure === 'cut' && onCut) {
    onCut();
    return text;
  }
  if (failure || !text.trim()) throw new LlmFailure(settings, failure ?? 'no_answer');
  return text;
}

function findFailureReason(finishReason: FinishReason): FailureReason | null {
  if (finishReason === 'content-filter') return 'refused';
  return finishReason === 'length' ? 'cut' : null;
}

/** The object in a text, even when the model added words or a code fence around it. */
function readObject<Answer>(schema: z.ZodType<Answer>, text: string): Answer | undefined {
  try {
    const read = schema.safeParse(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
