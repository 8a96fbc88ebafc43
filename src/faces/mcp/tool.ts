import type { Caller } from '#kernel/caller';
import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';

/**
 * The caller, and the toolsets of the address. `isWhole`: with full schemas, for `?schemas=full`. `isJsonOnly`: its client
 * takes no event stream.
 */
export type McpRequest = {
  caller: Caller;
  requestId: string;
  toolsets: readonly string[];
  isWhole: boolean;
  isJsonOnly?: boolean;
};

/** One `tools/call`: the caller, and the protocol's own context, which receives progress. */
export type ToolCall = { request: McpRequest; context: ServerContext };

/** A tool as the face serves it. Tools of operations are generated; an extension may add others. */
export type McpTool = {
  name: string;
  /** The entry of `tools/list` for this caller. */
  define(request: McpRequest): Tool;
  call(input: Record<string, unknown>, call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
};
