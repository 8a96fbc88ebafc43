import { AppError, toPublicError } from '#kernel/errors';
import type { ReportBug } from '#faces/web';
import { version } from '#platform/config';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { McpExtension } from './extension.ts';
import { instructions } from './instructions.ts';
import type { McpRequest } from './tool.ts';
import type { Toolbox } from './toolbox.ts';
import { traceToolCall } from './trace-tool-call.ts';

const identity = { name: 'thalamus', title: 'Thalamus', version };

/** How long a client may cache an answer, in ms. Tools change when an account is connected. */
const cacheHints = {
  'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'private' },
} as const;

/** The protocol's server for one request; it knows the caller, and is discarded afterwards. */
export function buildServer(
  request: McpRequest,
  { toolbox, extension, reportBug }: { toolbox: Toolbox; extension: McpExtension; reportBug: ReportBug },
): Server {
  const { capabilities, requestState } = extension;
  const server = new Server(identity, {
    capabilities: { tools: {}, ...capabilities },
    instructions,
    cacheHints,
    ...(requestState && { requestState }),
  });

  server.setRequestHandler('tools/list', async () => {
    try {
      return { tools: await toolbox.list(request) };
    } catch (error) {
      const { requestId } = request;
      if (!(error instanceof AppError)) reportBug(error, { request_id: requestId, path: 'tools/list' });
      const { code, message, details } = toPublicError(error, requestId);
      throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code, details, request_id: requestId });
    }
  });

  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = toolbox.find(request, params.name);
    if (!tool) throw createUnknownToolError(params.name);
    return traceToolCall(params, () => tool.call(params.arguments ?? {}, { request, context }));
  });

  extension.prepare?.(server);
  return server;
}

function createUnknownToolError(name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name.slice(0, 80)}. Call manage without an action to list every operation.`,
  );
}
