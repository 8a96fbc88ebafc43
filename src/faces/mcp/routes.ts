import type { Caller } from '#kernel/caller';
import { findLargestBody, type Catalogue } from '#kernel/catalogue';
import { AppError } from '#kernel/errors';
import { refuseConfined } from '#kernel/authorise';
import type { Execute, ReadChoices } from '#kernel/execute';
import { findCaller, type RestEnvironment } from '#faces/rest';
import type { ReportBug } from '#faces/web';
import type { Authenticate } from '#modules/accounts';
import { smallestScope, type Resources } from '#modules/oauth-server';
import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  OAuthError,
  OAuthErrorCode,
  type AuthInfo,
} from '@modelcontextprotocol/server';
import { Hono, type Context } from 'hono';
import { answerAsJson, readAcceptance } from './accept.ts';
import type { McpExtension } from './extension.ts';
import { createGuard } from './guard.ts';
import { createOpenAnswers } from './open-answers.ts';
import { readMessage } from './read-message.ts';
import { createRunOperation } from './run-operation.ts';
import { buildServer } from './server.ts';
import { listMissingScopes } from './step-up.ts';
import { createStreams, type ServeMessage } from './streams.ts';
import type { McpRequest } from './tool.ts';
import { createToolbox } from './toolbox.ts';
import { listOrderedToolsets, selectToolsets, isForFullSchemas } from './toolsets.ts';

export type McpOptions = {
  catalogue: Catalogue;
  execute: Execute;
  readChoices: ReadChoices;
  authenticate: Authenticate;
  publicUrl: string;
  reportBug: ReportBug;
  /** Called for requests that the protocol's library refuses; they are errors of the client. */
  noteRefusal: (error: Error) => void;
  /** The addresses that tokens are for. */
  resources: Resources;
  extension?: McpExtension;
};

export type McpFace = {
  routes: Hono<RestEnvironment>;
  /** Ends the open event streams. Running calls may finish. */
  close(): Promise<void>;
};

type McpContext = Context<RestEnvironment>;

/** The address that serves only one workspace. */
const workspacePath = '/mcp/w/:workspace';

/**
 * MCP at `/mcp`, `/` and `/sse`: Streamable HTTP of 2026-07-28 and, without sessions, of 2025-11-25 and before, by
 * POST; the deprecated HTTP+SSE transport by GET.
 */
export function createMcpFace(options: McpOptions): McpFace {
  const { catalogue, publicUrl, reportBug, extension = {} } = options;
  const toolbox = createToolbox({
    ...options,
    runOperation: createRunOperation(options),
    extraTools: extension.tools ?? [],
  });
  const maxBodyBytes = findLargestBody(catalogue);
  const handler = createMcpHandler(
    ({ authInfo }) => buildServer(getMcpRequest(authInfo), { toolbox, extension, reportBug }),
    {
      maxRequestBodySize: maxBodyBytes,
      onerror: options.noteRefusal,
      ...(extension.bus && { bus: extension.bus }),
    },
  );
  const answers = createOpenAnswers();
  const serve: ServeMessage = async (message, request) => {
    answers.check(request.caller.id);
    const { request: acceptable, isJsonOnly } = readAcceptance(message);
    const read = await readMessage(acceptable, maxBodyBytes);
    if ('refusal' in read) return read.refusal;
    const { parsedBody } = read;
    const options = { authInfo: toAuthInfo({ ...request, isJsonOnly }), ...('parsedBody' in read && { parsedBody }) };
    const answer = answers.counted(request.caller.id, await handler.fetch(read.request, options));
    return isJsonOnly && !isEndless(parsedBody) ? answerAsJson(answer, Array.isArray(parsedBody)) : answer;
  };
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const streams = createStreams({ serve, basePath, maxBodyBytes, reportBug });
  const admit = createAdmission(options);

  const app = new Hono<RestEnvironment>();
  app.on(['POST', 'DELETE'], ['/mcp', '/', '/sse', workspacePath], (c) =>
    admit(c, (request) => serve(c.req.raw, request)),
  );
  app.post('/sse/:stream', (c) => admit(c, (request) => streams.post(c, c.req.param('stream'), request)));
  const openStream = (c: McpContext) => admit(c, (request) => streams.open(c, request));
  app.get('/sse', openStream);
  app.on('GET', ['/mcp', workspacePath], (c) => (isStreamWanted(c) ? openStream(c) : postOnly(c)));
  // A browser gets the console's page here.
  app.get('/', (c, next) => (!canReadStream(c) ? next() : isStreamWanted(c) ? openStream(c) : postOnly(c)));

  return { routes: app, close: async () => streams.close() };
}

/** Authenticates a request, or returns the answer that refuses it. */
function createAdmission(options: McpOptions) {
  const guard = createGuard(options);
  const { catalogue, authenticate, resources } = options;
  const toolsets = listOrderedToolsets(catalogue);
  const refuse = (c: McpContext, code: OAuthErrorCode, message: string, scopes: readonly string[]) =>
    bearerAuthChallengeResponse(new OAuthError(code, message), {
      resourceMetadataUrl: resources.metadataUrl(c.req.path, c.req.header('host')),
      requiredScopes: [...scopes],
    });
  const challenge = (c: McpContext, message: string) =>
    refuse(c, OAuthErrorCode.InvalidToken, message, [smallestScope]);

  return async function admit(
    c: McpContext,
    serveAs: (request: McpRequest) => Response | Promise<Response>,
  ): Promise<Response> {
    const refusal = guard(c.req.raw);
    if (refusal) return refusal;
    let caller: Caller | null;
    try {
      caller = await findCaller(c, authenticate);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return challenge(c, error.message);
      throw error;
    }
    if (!caller) return challenge(c, 'Send a key or an access token of this server: Authorization: Bearer cm_…');
    refuseConfined(caller);
    if (!isAtOwnAddress(c, caller) || isForWorkspaceAddress(c, caller, resources))
      return challenge(c, 'This credential is not for this address.');
    const scopes = await listMissingScopes(c.req.raw, caller, catalogue);
    if (scopes.length)
      return refuse(c, OAuthErrorCode.InsufficientScope, `This call needs ${scopes.join(' ')}.`, scopes);
    const selected = selectToolsets(c.req.query('toolsets'), toolsets);
    return serveAs({
      caller,
      requestId: c.get('requestId'),
      toolsets: caller.toolsets ? selected.filter((toolset) => caller.toolsets?.includes(toolset)) : selected,
      isWhole: isForFullSchemas(c.req.query('schemas')),
    });
  };
}

/** Whether a message opens a stream that never ends by itself. */
function isEndless(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'subscriptions/listen'
  );
}

/** An address of one workspace serves only its own callers. */
function isAtOwnAddress(c: McpContext, { workspaceId }: Caller): boolean {
  const workspace = c.req.param('workspace');
  return workspace === undefined || workspace === workspaceId;
}

/**
 * Whether a token is for the address of one workspace but is used at the address of all workspaces: that is another
 * resource, for which clients request separate tokens. The stream of a workspace's address has an address without its
 * name.
 */
function isForWorkspaceAddress(c: McpContext, { audience }: Caller, resources: Resources): boolean {
  const isNamed = c.req.param('workspace') !== undefined || c.req.param('stream') !== undefined;
  return !isNamed && audience !== undefined && resources.findWorkspace(audience) !== null;
}

function canReadStream(c: McpContext): boolean {
  return c.req.header('accept')?.includes('text/event-stream') ?? false;
}

/**
 * HTTP+SSE begins with a stream. A client that names a version has already begun, and requests a stream that this
 * server does not offer.
 */
function isStreamWanted(c: McpContext): boolean {
  return canReadStream(c) && !c.req.header('mcp-protocol-version');
}

function postOnly(c: McpContext): Response {
  return c.text('This is the MCP address. Clients POST to it, with Authorization: Bearer cm_….', 405, {
    allow: 'POST',
  });
}

/** The SDK passes a request's data to the factory in its `AuthInfo`; the key itself is not passed on. */
function toAuthInfo(request: McpRequest): AuthInfo {
  return { token: '', clientId: request.caller.id, scopes: [...request.caller.scopes], extra: { request } };
}

function getMcpRequest(authInfo: AuthInfo | undefined): McpRequest {
  return authInfo?.extra?.['request'] as McpRequest; // `toAuthInfo` sets it on every request
}
