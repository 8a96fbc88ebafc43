// The HTTP side: reads a request, applies what a test ordered to fail, runs the route, writes the answer, keeps the ledger.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { World } from './accounts.ts';
import { calendarRoutes } from './calendar/calendars.ts';
import { eventRoutes } from './calendar/events.ts';
import { changeRoutes } from './drive/changes.ts';
import { fileRoutes } from './drive/files.ts';
import { permissionRoutes } from './drive/permissions.ts';
import { fileWriteRoutes } from './drive/writes.ts';
import { GoogleError, insufficientScopes, modernError, outage, unauthenticated } from './errors.ts';
import type { Api } from './errors.ts';
import type { FailureDesk, Order } from './failures.ts';
import { draftRoutes } from './gmail/drafts.ts';
import { labelRoutes } from './gmail/labels.ts';
import { messageRoutes } from './gmail/messages.ts';
import { threadRoutes } from './gmail/threads.ts';
import { noEffects } from './ledger.ts';
import type { Effects, LedgerBook, LedgerEntry } from './ledger.ts';
import { authorizeRoutes } from './oauth/authorize.ts';
import { identityRoutes, userInfoRefusal } from './oauth/identity.ts';
import { deadGrant, tokenRoutes } from './oauth/tokens.ts';
import { keepFields, parseFields } from './partial.ts';
import type { QuotaMeter } from './quota.ts';
import { checkQuery, matchPath } from './routing.ts';
import type { ApiRoute, Call, Caller, Reply, Route } from './routing.ts';

const routes: Route[] = [
  ...authorizeRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...messageRoutes,
  ...draftRoutes,
  ...threadRoutes,
  ...labelRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...fileRoutes,
  ...fileWriteRoutes,
  ...changeRoutes,
  ...permissionRoutes,
];

/** What the server works on. */
export type ServerParts = { world: World; ledger: LedgerBook; failures: FailureDesk; quota: QuotaMeter };

/** A request as it was read. */
type Incoming = { method: string; url: URL; headers: IncomingMessage['headers']; body: Buffer };

type Outcome = { reply: Reply; status: number };

async function readRequest(world: World, request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  // Without an encoding a request yields buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', world.url);
  return { method: request.method ?? 'GET', url, headers: request.headers, body: Buffer.concat(chunks) };
}

function findRoute(incoming: Incoming): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === incoming.method ? matchPath(route.path, incoming.url.pathname) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

function bearerOf(incoming: Incoming): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
}

function authenticate(world: World, incoming: Incoming, route: ApiRoute): Caller {
  const bearer = bearerOf(incoming);
  if (!bearer) throw route.api === 'oauth' ? userInfoRefusal() : unauthenticated('missing');
  const token = world.data.accessTokens.get(bearer);
  const account = token && world.data.accounts.get(token.email);
  const client = token && world.data.clients.get(token.clientId);
  if (!token || !account || !client || token.expiresAt <= world.now().getTime()) {
    throw route.api === 'oauth' ? userInfoRefusal() : unauthenticated('invalid');
  }
  if (!token.scopes.some((scope) => route.scopes.includes(scope))) throw insufficientScopes(route.api, route.scopes);
  return { account, client, scopes: token.scopes };
}

function run(parts: ServerParts, incoming: Incoming, effects: Effects): Reply {
  const { world } = parts;
  const found = findRoute(incoming);
  if (!found) return notFoundPage(incoming);
  const { route, params } = found;
  const { url, headers, body } = incoming;
  const call: Call = { world, api: route.api, now: world.now(), url, params, headers, body, effects };
  if ('open' in route) return route.handle(call);
  const caller = authenticate(world, incoming, route);
  parts.quota.check(route.api, caller.account.email, call.now);
  checkQuery(route, url.searchParams);
  const fields = url.searchParams.get('fields');
  const selection = fields === null ? undefined : parseFields(fields);
  const reply = route.handle({ ...call, caller });
  return selection && reply.json !== undefined ? { ...reply, json: keepFields(reply.json, selection) } : reply;
}

function notFoundPage({ url }: Incoming): Reply {
  const path = url.pathname.replaceAll('<', '&lt;');
  const page = `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.<p>The requested URL <code>${path}</code> was not found on this server.`;
  return { status: 404, bytes: { contentType: 'text/html; charset=UTF-8', content: Buffer.from(page) } };
}

function errorReply(error: unknown): Reply {
  if (error instanceof GoogleError) return { status: error.status, headers: error.headers, json: error.body };
  // A fault of the emulator itself must not look like an outage that a test ordered.
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, json: modernError(500, { reason: 'emulatorFault', message: detail }).body };
}

/** Runs the request for real, or on a copy that is thrown away. */
function settle(parts: ServerParts, incoming: Incoming, pretend: boolean): Outcome {
  const kept = parts.world.data;
  if (pretend) parts.world.data = structuredClone(kept);
  const effects = noEffects();
  try {
    const reply = run(parts, incoming, effects);
    if (!pretend) parts.ledger.commit(effects);
    return { reply, status: reply.status ?? 200 };
  } catch (error) {
    const reply = errorReply(error);
    return { reply, status: reply.status ?? 500 };
  } finally {
    parts.world.data = kept;
  }
}

function bytesOf(reply: Reply): { type?: string; content: Buffer } {
  if (reply.bytes) return { type: reply.bytes.contentType, content: Buffer.from(reply.bytes.content) };
  if (reply.json === undefined) return { content: Buffer.alloc(0) };
  return { type: 'application/json; charset=UTF-8', content: Buffer.from(JSON.stringify(reply.json, null, 2)) };
}

async function write(response: ServerResponse, reply: Reply, drip?: { ms: number; pieces: number }): Promise<void> {
  const { type, content } = bytesOf(reply);
  const length = reply.status === 304 || reply.status === 204 ? {} : { 'content-length': content.length };
  response.writeHead(reply.status ?? 200, { ...(type ? { 'content-type': type } : {}), ...length, ...reply.headers });
  if (!drip) {
    response.end(content);
    return;
  }
  const size = Math.max(1, Math.ceil(content.length / drip.pieces));
  for (let at = 0; at < content.length; at += size) {
    response.write(content.subarray(at, at + size));
    await wait(drip.ms);
  }
  response.end();
}

function apiOf(incoming: Incoming): Api {
  return findRoute(incoming)?.route.api ?? 'gmail';
}

/** What an order answers instead of the truth, if it does. */
function replacement(order: Order, api: Api): Reply | undefined {
  if (order.kind === 'status') return errorReply(outage(api, order.status, order));
  if (order.kind === 'rate_limited') return errorReply(outage(api, 403, {}));
  if (order.kind === 'invalid_grant') return errorReply(deadGrant());
  if (order.kind === 'garbage') {
    return {
      bytes: {
        contentType: 'text/html',
        content: Buffer.from('<html><body>Please sign in to the network.</body></html>'),
      },
    };
  }
  return undefined;
}

function pointOf(order: Order): 'before' | 'after' {
  return 'when' in order ? (order.when ?? 'before') : 'before';
}

/** Stops the request where the order says so. `answer` undefined means: the client gets nothing. */
async function interrupt(order: Order, api: Api): Promise<{ stopped: boolean; answer?: Reply }> {
  if (order.kind === 'hold') await order.pass();
  if (order.kind === 'delay') await wait(order.ms);
  const answer = replacement(order, api);
  if (answer) return { stopped: true, answer };
  return { stopped: order.kind === 'cut' || order.kind === 'hang' };
}

async function serve(
  parts: ServerParts,
  incoming: Incoming,
  response: ServerResponse,
  entry: LedgerEntry,
): Promise<void> {
  const order = parts.failures.take({
    method: incoming.method,
    path: incoming.url.pathname,
    ...(entry.account ? { account: entry.account } : {}),
  });
  if (order) entry.failure = order.kind;
  const finish = async (reply: Reply) => {
    entry.status = reply.status ?? 200;
    entry.response = reply.json;
    await write(response, reply, order?.kind === 'drip' ? order : undefined);
  };
  const stop = async (answer: Reply | undefined) => {
    if (answer) await finish(answer);
    else if (order?.kind === 'cut') response.socket?.destroy();
  };
  if (order && pointOf(order) === 'before') {
    const { stopped, answer } = await interrupt(order, apiOf(incoming));
    if (stopped) return stop(answer);
  }
  const { reply } = settle(parts, incoming, order?.kind === 'lie');
  if (order && pointOf(order) === 'after') {
    const { stopped, answer } = await interrupt(order, apiOf(incoming));
    if (stopped) return stop(answer);
  }
  return finish(reply);
}

function readableBody(incoming: Incoming): unknown {
  const type = incoming.headers['content-type'] ?? '';
  const source = incoming.body.toString('utf8');
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(source));
  if (!type.includes('application/json')) return source;
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return source;
  }
}

function queryOf(url: URL): Record<string, string | string[]> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(
    names.map((name): [string, string | string[]] => {
      const values = url.searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function entryOf(world: World, incoming: Incoming): LedgerEntry {
  const account = world.data.accessTokens.get(bearerOf(incoming) ?? '')?.email;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    at: world.now(),
    method: incoming.method,
    path: incoming.url.pathname,
    query: queryOf(incoming.url),
    headers: Object.fromEntries(headers),
    body: readableBody(incoming),
    ...(account ? { account } : {}),
    status: 0,
  };
}

/** The server, not yet listening. */
export function createGoogleServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    readRequest(parts.world, request)
      .then((incoming) => {
        const entry = entryOf(parts.world, incoming);
        parts.ledger.add(entry);
        return serve(parts, incoming, response, entry);
      })
      .catch((error: unknown) => {
        // The client left while its body was read, or while a drip was written.
        response.destroy(error instanceof Error ? error : undefined);
      });
  });
}
