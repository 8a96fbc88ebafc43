import type { Operation } from '#kernel/operation';
import { schemasOf } from '#faces/reference';
import type { Tool } from '@modelcontextprotocol/server';
import { annotationsOf, titleOf } from './annotations.ts';
import { resultSchema } from './result.ts';
import type { RunOperation } from './run-operation.ts';
import type { McpTool } from './tool.ts';
import { withoutNull } from './without-null.ts';

/** The tool of an operation; what it publishes is made once. */
export function operationTool(operation: Operation, runOperation: RunOperation): McpTool {
  const definition = definitionOf(operation);
  return {
    name: operation.name,
    define: () => definition,
    call: (input, call) => runOperation(operation, input, call),
  };
}

function definitionOf(operation: Operation): Tool {
  const { input, output } = schemasOf(operation);
  return {
    name: operation.name,
    title: titleOf(operation.name),
    description: operation.summary,
    inputSchema: withoutNull(input) as Tool['inputSchema'], // an operation's input is an object by its type
    outputSchema: resultSchema(output) as Tool['outputSchema'] & {}, // JSON by construction
    annotations: annotationsOf(operation),
  };
}
