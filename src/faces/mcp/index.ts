export { listOrderedToolsets } from './toolsets.ts';
export type { McpExtension } from './extension.ts';
export { createMcpFace, type McpFace } from './routes.ts';
export type { McpTool } from './tool.ts';
