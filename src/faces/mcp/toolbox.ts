import type { Catalogue } from '#kernel/catalogue';
import type { ReadChoices } from '#kernel/execute';
import type { Operation } from '#kernel/operation';
import type { Tool } from '@modelcontextprotocol/server';
import { createManageTool } from './manage.ts';
import { narrowTool } from './narrow.ts';
import { createOperationTool } from './operation-tool.ts';
import type { RunOperation } from './run-operation.ts';
import { shortenTool } from './short-schema.ts';
import type { McpRequest, McpTool } from './tool.ts';
import { isShownTo } from './toolsets.ts';

/**
 * All tools, created once, and which of them a request gets. Toolsets choose what is listed; each call checks rights.
 */
export type Toolbox = {
  list(request: McpRequest): Promise<Tool[]>;
  /** The tool with this name, even if the address does not list it. */
  find(request: McpRequest, name: string): McpTool | undefined;
};

export function createToolbox(options: {
  catalogue: Catalogue;
  runOperation: RunOperation;
  readChoices: ReadChoices;
  publicUrl: string;
  extraTools: readonly McpTool[];
}): Toolbox {
  const { catalogue, runOperation, readChoices, publicUrl } = options;
  const others = new Map(
    [...options.extraTools, createManageTool(catalogue, runOperation)].map((tool) => [tool.name, tool]),
  );
  const ofOperations = new Map(
    [...catalogue.values()].map((each) => [each.name, createOperationTool(each, runOperation)]),
  );

  const isListed = (operation: Operation, { toolsets, caller }: McpRequest) =>
    toolsets.includes(operation.toolset) && isShownTo(operation, caller);

  return {
    async list(request) {
      const operations = [...catalogue.values()].filter((operation) => isListed(operation, request));
      const choices = await readChoices(operations, { ...request, face: 'mcp' });
      const tools = operations.flatMap(({ name }) => {
        const tool = ofOperations.get(name)?.define(request);
        const narrowed = choices.get(name);
        return tool && narrowed ? narrowTool(tool, narrowed, publicUrl) : (tool ?? []);
      });
      const all = [...tools, ...[...others.values()].map((tool) => tool.define(request))];
      return request.isWhole ? all : all.map(shortenTool);
    },
    find(request, name) {
      const operation = catalogue.get(name);
      const isSeen = operation !== undefined && isShownTo(operation, request.caller);
      return isSeen ? ofOperations.get(operation.name) : others.get(name);
    },
  };
}
