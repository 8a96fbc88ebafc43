import { errorStatus, type ErrorCode } from '#kernel/errors';
import { withSpan, isTracing, noteOutcome, readTrace, SpanKind } from '#platform/telemetry';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';

type Answer = CallToolResult | InputRequiredResult;

/**
 * Puts a call of a tool into a span (semantic conventions for MCP). It continues the trace that the message names in
 * `_meta`, else that of its request.
 */
export function traceToolCall(
  { name, _meta = {} }: { name: string; _meta?: Record<string, unknown> | undefined },
  call: () => Promise<Answer>,
): Promise<Answer> {
  if (!isTracing()) return call();
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
  };
  const parent = readTrace(_meta);
  const spec = { name: `tools/call ${name}`, kind: SpanKind.SERVER, attributes, ...(parent && { parent }) };
  return withSpan(spec, async (span) => {
    const answer = await call();
    const { isError, structuredContent } = answer as CallToolResult;
    if (!isError) return answer;
    const { code } = (structuredContent ?? {}) as { code?: ErrorCode }; // in the form of `buildErrorResult`
    const isRefusal = code !== undefined && errorStatus[code] < 500;
    noteOutcome(span, isRefusal ? code : 'tool_error', isRefusal);
    return answer;
  });
}
