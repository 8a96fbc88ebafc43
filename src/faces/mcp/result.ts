import { errorStatus, type AppError } from '#kernel/errors';
import type { JsonSchema } from '#faces/reference';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** The answer of an operation: its REST body, as structured content, and as text for clients that read only text. */
export function buildSuccessResult(output: object, shown: object = output): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(shown) }],
    structuredContent: toStructured(output),
  };
}

/** Structured content is an object: a list is its field `items`. The text has the bare list, like the REST body. */
function toStructured(output: object): Record<string, unknown> {
  return Array.isArray(output) ? { items: output } : (output as Record<string, unknown>); // an object, or a list
}

/** An error as a tool result, so that the model reads it: what was wrong, what to do next, and facts for that. */
export function buildErrorResult({ code, message, details }: AppError, requestId: string): CallToolResult {
  const facts = { code, details, request_id: requestId };
  return {
    isError: true,
    content: [{ type: 'text', text: `${message}\n\n${JSON.stringify(facts)}` }],
    structuredContent: { ...facts, message },
  };
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'details', 'request_id'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorStatus) },
    message: { type: 'string' },
    details: { type: 'object' },
    request_id: { type: 'string' },
  },
};

/**
 * The schema of a tool's structured content: the operation's output or an error. Clients of the v1 SDK also check
 * errors against the published schema, and would show a mismatch instead of the error.
 */
export function buildResultSchema({ $defs, ...output }: JsonSchema): JsonSchema & { type: 'object' } {
  const listed = { type: 'object', required: ['items'], properties: { items: output } };
  const content = output['type'] === 'array' ? listed : output;
  return { type: 'object', ...($defs !== undefined && { $defs }), anyOf: [content, errorSchema] };
}
