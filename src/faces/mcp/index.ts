export type { McpExtension } from './extension.ts';
export { createMcpFace, type McpFace, type McpOptions } from './routes.ts';
export type { McpTool, ToolCall } from './tool.ts';
