import type { Server, ServerEventBus, ServerOptions } from '@modelcontextprotocol/server';
import type { McpTool } from './tool.ts';

/**
 * Tools that are not operations, and methods such as prompts and resources. The product needs none; the conformance
 * suite adds them this way.
 */
export type McpExtension = {
  tools?: readonly McpTool[];
  capabilities?: ServerOptions['capabilities'];
  requestState?: ServerOptions['requestState'];
  /** Where `subscriptions/listen` gets its changes from. */
  bus?: ServerEventBus;
  /** Adds handlers to the server that will answer one request. */
  prepare?(server: Server): void;
};
