// The HTTP side: reads a request, applies what a test ordered to fail, runs the route, writes the answer, keeps the ledger.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FailureDesk, FailureOrder, OrderedAnswer } from './failures.ts';
import type { LedgerBook, LedgerEntry } from './ledger.ts';
import { WireError } from './wire.ts';
import type { IncomingRequest, Reply, World } from './wire.ts';

/** How one provider answers. `answer` throws a `WireError` to refuse. */
export type Dialect = {
  /** The account a request's token belongs to. */
  findAccount(incoming: IncomingRequest): string | undefined;
  /** Handles a request. It changes state synchronously. A returned promise may only delay the reply. */
  answer(incoming: IncomingRequest): Reply | Promise<Reply>;
  /** What a failure ordered by a test looks like. */
  ordered(order: OrderedAnswer, incoming: IncomingRequest): Reply;
  /** The answer to a fault of the emulator itself, which must not look like an outage that a test ordered. */
  internalError(detail: string): Reply;
};

/** The parts of a server. */
export type ServerParts = {
  world: World<unknown>;
  dialect: Dialect;
  ledger: LedgerBook;
  failures: FailureDesk;
  port?: number | undefined;
};

async function readRequest(base: string, request: IncomingMessage): Promise<IncomingRequest> {
  const chunks: Buffer[] = [];
  // Without an encoding a request yields buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', base);
  return { method: request.method ?? 'GET', url, headers: request.headers, body: Buffer.concat(chunks) };
}

/** The reply for a thrown error. */
function buildErrorReply(dialect: Pick<Dialect, 'internalError'>, error: unknown): Reply {
  if (error instanceof WireError) return { status: error.status, headers: error.headers, json: error.body };
  return dialect.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** Runs the request for real, or on a copy that is thrown away. */
async function runRequest(
  { world, dialect }: ServerParts,
  incoming: IncomingRequest,
  pretend: boolean,
): Promise<Reply> {
  const kept = world.data;
  if (pretend) world.data = structuredClone(kept);
  try {
    const reply = dialect.answer(incoming);
    world.data = kept;
    return await reply;
  } catch (error) {
    return buildErrorReply(dialect, error);
  } finally {
    world.data = kept;
  }
}

function encodeReply(reply: Reply): { type?: string; content: Buffer } {
  if (reply.bytes) return { type: reply.bytes.contentType, content: Buffer.from(reply.bytes.content) };
  if (reply.json === undefined) return { content: Buffer.alloc(0) };
  return { type: 'application/json; charset=UTF-8', content: Buffer.from(JSON.stringify(reply.json, null, 2)) };
}

async function write(response: ServerResponse, reply: Reply, order?: FailureOrder): Promise<void> {
  const { type, content } = encodeReply(reply);
  const length = reply.status === 304 || reply.status === 204 ? {} : { 'content-length': content.length };
  response.writeHead(reply.status ?? 200, { ...(type ? { 'content-type': type } : {}), ...length, ...reply.headers });
  if (order?.kind === 'break') {
    response.write(content.subarray(0, content.length / 2), () => response.destroy());
    return;
  }
  if (order?.kind !== 'drip') {
    response.end(content);
    return;
  }
  const size = Math.max(1, Math.ceil(content.length / order.pieces));
  for (let at = 0; at < content.length; at += size) {
    response.write(content.subarray(at, at + size));
    await wait(order.ms);
  }
  response.end();
}

const signInPage = '<html><body>Please sign in to the network.</body></html>';

/** The reply that an ordered failure sends instead, if any. */
function findReplacement(dialect: Dialect, order: FailureOrder, incoming: IncomingRequest): Reply | undefined {
  if (order.kind === 'status' || order.kind === 'rate_limited' || order.kind === 'invalid_grant') {
    return dialect.ordered(order, incoming);
  }
  return order.kind === 'garbage'
    ? { bytes: { contentType: 'text/html', content: Buffer.from(signInPage) } }
    : undefined;
}

function getFailurePoint(order: FailureOrder): 'before' | 'after' {
  return 'when' in order ? (order.when ?? 'before') : 'before';
}

/** Stops the request where the order says so. `answer` undefined means: the client gets nothing. */
async function interrupt(
  dialect: Dialect,
  order: FailureOrder,
  incoming: IncomingRequest,
): Promise<{ stopped: boolean; answer?: Reply }> {
  if (order.kind === 'hold') await order.pass();
  if (order.kind === 'delay') await wait(order.ms);
  const answer = findReplacement(dialect, order, incoming);
  if (answer) return { stopped: true, answer };
  return { stopped: order.kind === 'cut' || order.kind === 'hang' };
}

async function serve(
  parts: ServerParts,
  incoming: IncomingRequest,
  response: ServerResponse,
  entry: LedgerEntry,
): Promise<void> {
  const order = parts.failures.take({
    method: incoming.method,
    path: incoming.url.pathname,
    body: incoming.body,
    ...(entry.account ? { account: entry.account } : {}),
  });
  if (order) entry.failure = order.kind;
  const finish = async (reply: Reply) => {
    parts.ledger.answer(entry, reply.status ?? 200, reply.json);
    await write(response, reply, order);
  };
  const stop = async (answer: Reply | undefined) => {
    if (answer) await finish(answer);
    else if (order?.kind === 'cut') response.socket?.destroy();
  };
  if (order && getFailurePoint(order) === 'before') {
    const { stopped, answer } = await interrupt(parts.dialect, order, incoming);
    if (stopped) return stop(answer);
  }
  const reply = await runRequest(parts, incoming, order?.kind === 'lie');
  if (order && getFailurePoint(order) === 'after') {
    const { stopped, answer } = await interrupt(parts.dialect, order, incoming);
    if (stopped) return stop(answer);
  }
  return finish(reply);
}

function parseReadableBody(incoming: IncomingRequest): unknown {
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

function parseQuery(url: URL): Record<string, string | string[]> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(
    names.map((name): [string, string | string[]] => {
      const values = url.searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function buildLedgerEntry({ world, dialect }: ServerParts, incoming: IncomingRequest): LedgerEntry {
  const account = dialect.findAccount(incoming);
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    at: world.now(),
    method: incoming.method,
    path: incoming.url.pathname,
    query: parseQuery(incoming.url),
    headers: Object.fromEntries(headers),
    body: parseReadableBody(incoming),
    ...(account ? { account } : {}),
    status: 0,
  };
}

function createHttpServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    readRequest(parts.world.url, request)
      .then((incoming) => {
        const entry = buildLedgerEntry(parts, incoming);
        parts.ledger.add(entry);
        return serve(parts, incoming, response, entry);
      })
      .catch((error: unknown) => {
        // The client left while its body was read, or while a drip was written.
        response.destroy(error instanceof Error ? error : undefined);
      });
  });
}

/** Listens on the loopback, on a free port unless one is given, and writes the URL into the world. */
export async function listen(parts: ServerParts): Promise<{ close(): Promise<void> }> {
  const server = createHttpServer(parts);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(parts.port ?? 0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an address with a port.
  parts.world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async close() {
      parts.failures.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
