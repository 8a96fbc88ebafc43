// Questions of operations, in the protocol's form since 2026-07-28: the call ends with `input_required`, and is
// repeated.
import type { QuestionSupport, Question, Reply } from '#kernel/question';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

const key = 'question';

/** How this client can be asked, its reply, and the receiver of a question. Null: the client cannot be asked. */
export function findAsking({ mcpReq }: ServerContext, ask: QuestionSupport['ask']): QuestionSupport | null {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  const declared = (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)?.elicitation; // the protocol's form
  const reply = findReply(mcpReq);
  if (!declared && !reply) return null;
  const url = declared?.url !== undefined;
  return { choices: Boolean(declared && (declared.form !== undefined || !url)), url, reply, ask };
}

function findReply({ inputResponses, requestState }: ServerContext['mcpReq']): Reply | null {
  const state = requestState<unknown>();
  if (typeof state !== 'string') return null;
  const reply = inputResponse(inputResponses, key);
  if (reply.kind !== 'elicit') return { state, action: 'cancel', choice: null };
  const choice = reply.content?.['decision'];
  return { state, action: reply.action, choice: typeof choice === 'string' ? choice : null };
}

/** The question in the form of the protocol. */
export function buildQuestionResult({ message, state, way }: Question): InputRequiredResult {
  const request =
    'url' in way
      ? inputRequired.elicitUrl({ message, url: way.url })
      : inputRequired.elicit({ message, requestedSchema: buildAnswerSchema(way.choices) });
  return inputRequired({ inputRequests: { [key]: request }, requestState: state });
}

function buildAnswerSchema(choices: readonly { value: string; label: string }[]) {
  const oneOf = choices.map(({ value, label }) => ({ const: value, title: label }));
  const decision = { type: 'string' as const, title: 'Your decision', oneOf };
  return { type: 'object' as const, properties: { decision }, required: ['decision'] };
}
