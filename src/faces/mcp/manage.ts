import type { Caller } from '#kernel/caller';
import type { Catalogue } from '#kernel/catalogue';
import { convertAtFace } from '#kernel/convert-refused';
import { AppError } from '#kernel/errors';
import type { Operation } from '#kernel/operation';
import { getOperationSchemas } from '#faces/reference';
import { z } from 'zod';
import { buildErrorResult, buildSuccessResult } from './result.ts';
import type { RunOperation } from './run-operation.ts';
import type { McpTool } from './tool.ts';
import { isShownTo } from './toolsets.ts';
import { withoutNull } from './without-null.ts';

const description = `Every other operation of this server by name: brains, keys, settings and more. Without \`action\` it lists the actions; with
\`help: true\` it describes the fields of one. Pass the fields beside \`action\`, or in \`arguments\` if a name clashes with a field of this tool.`;

/** The tool that runs every operation by name, so that a model needs to see only a few tools. */
export function createManageTool(catalogue: Catalogue, runOperation: RunOperation): McpTool {
  return {
    name: 'manage',
    define: ({ caller, toolsets }) => ({
      name: 'manage',
      title: 'Manage',
      description,
      inputSchema: buildManageSchema(listNamedOperations(catalogue, caller, toolsets)),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    }),
    async call(given, call) {
      const { action, help, arguments: nested = {}, ...fields } = readOwnFields(given);
      const { caller, requestId } = call.request;
      if (action === undefined) return buildSuccessResult(list(catalogue, (operation) => isShownTo(operation, caller)));
      const operation = typeof action === 'string' ? catalogue.get(action) : undefined;
      if (!operation) return buildErrorResult(createUnknownActionError(action), requestId);
      if (help === true) return buildSuccessResult(describe(operation));
      if (typeof nested !== 'object' || nested === null) return buildErrorResult(createArgumentsError(), requestId);
      return runOperation(operation, { ...fields, ...nested }, call);
    },
  };
}

const ownFields = z.looseObject({
  action: z.string().min(1).optional(),
  help: z.boolean().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** The fields of this tool and of the action. Its own fields may be sent as text, like those of every tool. */
function readOwnFields(given: Record<string, unknown>): Record<string, unknown> {
  return convertAtFace('mcp', ownFields, given) as Record<string, unknown>; // an object stays one
}

/**
 * The names take space, so operations with their own tool, and those about accounts, are named only in the list of
 * actions.
 */
function listNamedOperations(catalogue: Catalogue, caller: Caller, toolsets: readonly string[]): Operation[] {
  const shown = [...catalogue.values()].filter((operation) => isShownTo(operation, caller));
  const others = shown.filter(({ toolset }) => !toolsets.includes(toolset) && toolset !== 'accounts');
  return others.length ? others : shown;
}

function buildManageSchema(operations: readonly Operation[]) {
  return {
    type: 'object' as const,
    properties: {
      action: { type: 'string', description: `Such as ${operations.map(({ name }) => name).join(' ')}` },
      help: { type: 'boolean', description: "Describe the action's input and output instead of running it." },
      arguments: { type: 'object', description: 'Fields of the action, as an object.' },
    },
    additionalProperties: true,
  };
}

function list(catalogue: Catalogue, isShown: (operation: Operation) => boolean) {
  const actions = [...catalogue.values()].filter(isShown);
  return { actions: actions.map(({ name, summary, toolset, effect }) => ({ action: name, summary, toolset, effect })) };
}

function describe(operation: Operation) {
  const { name, summary, toolset, effect, access, examples } = operation;
  const { input, output } = getOperationSchemas(operation);
  return { action: name, summary, toolset, effect, scope: access.scope, input: withoutNull(input), output, examples };
}

function createUnknownActionError(action: unknown): AppError {
  const name = String(action).slice(0, 80);
  return new AppError('not_found', `There is no action ${name}. Call manage without an action to list them.`);
}

function createArgumentsError(): AppError {
  return new AppError('invalid_input', 'arguments must be an object with the fields of the action.');
}
