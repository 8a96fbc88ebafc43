// Spans of questions to models (OpenTelemetry semantic conventions for generative AI). They contain no question and no
// answer.
import { withSpan, withStreamedSpan, SpanKind, type Span } from '#platform/telemetry';
import type { Model, Question, Tokens } from './question.ts';

type AskModel<Each, Answer> = (question: Each) => Answer;

/** A question whose answer is returned complete. */
export function traceAnswer<Each extends Question, Answer>(
  model: Model,
  question: Each,
  ask: AskModel<Each, Promise<Answer>>,
) {
  return withSpan(describe(model, question), (span) => ask(withUsage(span, question)));
}

/** A question whose answer is read while it is written. */
export function traceStream(
  model: Model,
  question: Question,
  ask: AskModel<Question, AsyncGenerator<string, void, undefined>>,
): AsyncGenerator<string, void, undefined> {
  return withStreamedSpan(describe(model, question), (span) => ask(withUsage(span, question)));
}

function describe({ provider, model }: Model, { maxOutputTokens, temperature }: Question) {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    ...(maxOutputTokens !== undefined && { 'gen_ai.request.max_tokens': maxOutputTokens }),
    ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
  };
  return { name: `chat ${model}`, kind: SpanKind.CLIENT, attributes };
}

function withUsage<Each extends Question>(span: Span, question: Each): Each {
  const onSpent = (tokens: Tokens) => {
    span.setAttributes({ 'gen_ai.usage.input_tokens': tokens.input, 'gen_ai.usage.output_tokens': tokens.output });
    question.onSpent?.(tokens);
  };
  return { ...question, onSpent };
}
