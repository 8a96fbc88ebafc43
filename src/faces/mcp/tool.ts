import type { Caller } from '#kernel/caller';
import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';

/** Who asks, and which toolsets the address asked for. `isWhole`: with whole schemas, by `?schemas=full`. */
export type McpRequest = { caller: Caller; requestId: string; toolsets: readonly string[]; isWhole: boolean };

/** One `tools/call`: who asks, and the protocol's own context, through which progress goes back. */
export type ToolCall = { request: McpRequest; context: ServerContext };

/** A tool as the face serves it. Those of operations are generated; an extension may bring others. */
export type McpTool = {
  name: string;
  /** What `tools/list` shows to this caller. */
  define(request: McpRequest): Tool;
  call(input: Record<string, unknown>, call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
};
