import type { Operation } from '#kernel/operation';
import { getOperationSchemas } from '#faces/reference';
import type { Tool } from '@modelcontextprotocol/server';
import { buildAnnotations, formatToolTitle } from './annotations.ts';
import { buildResultSchema } from './result.ts';
import type { RunOperation } from './run-operation.ts';
import type { McpTool } from './tool.ts';
import { withoutNull } from './without-null.ts';

/** The tool of an operation; its published form is built once. */
export function createOperationTool(operation: Operation, runOperation: RunOperation): McpTool {
  let definition: Tool | undefined;
  return {
    name: operation.name,
    define: () => (definition ??= buildToolDefinition(operation)),
    call: (input, call) => runOperation(operation, input, call),
  };
}

function buildToolDefinition(operation: Operation): Tool {
  const { input, output } = getOperationSchemas(operation);
  return {
    name: operation.name,
    title: formatToolTitle(operation.name),
    description: operation.summary,
    inputSchema: withoutNull(input) as Tool['inputSchema'], // an operation's input is an object by its type
    outputSchema: buildResultSchema(output) as Tool['outputSchema'] & {}, // JSON by construction
    annotations: buildAnnotations(operation),
  };
}
