import type { Server, ServerEventBus, ServerOptions } from '@modelcontextprotocol/server';
import type { McpTool } from './tool.ts';

/**
 * What is served beside the operations: tools that are none, and methods such as prompts and resources. The product
 * needs nothing of this; the conformance suite expects it, and brings it in this way.
 */
export type McpExtension = {
  tools?: readonly McpTool[];
  capabilities?: ServerOptions['capabilities'];
  requestState?: ServerOptions['requestState'];
  /** Where `subscriptions/listen` hears of changes. */
  bus?: ServerEventBus;
  /** Adds handlers to the server that will answer one request. */
  prepare?(server: Server): void;
};
