import type { OperationName, Output } from '#sdk';
import { createLog, type Log } from '#platform/log';
import { readConfig } from '../../src/configuration.ts';
import { startServer, type Additions } from '../../src/server.ts';
import { checkAnswer } from './check-answer.ts';
import { findFreePort } from './free-port.ts';
import { createTestDatabase } from './postgres.ts';

/** What one call over REST answered. */
export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/** A server, reached over HTTP as any client reaches it. */
export type ReachedServer = {
  url: string;
  /** The owner's key. */
  key: string;
  /** `POST /v1/tools/{operation}` with the owner's key, or another. */
  call(
    operation: string,
    input?: unknown,
    options?: { key?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** As `call`, but throws unless the answer is 200. */
  ok: Ok;
  request(path: string, init?: RequestInit): Promise<Response>;
};

/** A whole server in this process, on a database of its own. */
export type TestServer = ReachedServer & { connectionString: string; close(): Promise<void> };

type Ok = {
  <Name extends OperationName>(operation: Name, input?: unknown, options?: { key?: string }): Promise<Output<Name>>;
  (operation: string, input?: unknown, options?: { key?: string }): Promise<Record<string, unknown>>;
};

/** How a server is asked: `fetch`, or something around it. */
type SendRequest = (url: string, init?: RequestInit) => Promise<Response>;

/** Starts a server. `settings` are environment variables beside those that place it; fixtures and a log may be added. */
export async function startTestServer(
  settings: Record<string, string> = {},
  { log, ask, ...additions }: Additions & { log?: Log; ask?: SendRequest } = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  const port = Number(settings['PORT'] ?? (await findFreePort()));
  const key = `cm_${'ownerkey'.repeat(5)}`;
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: database.connectionString,
    THALAMUS_BOOTSTRAP_KEY: key,
    THALAMUS_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    THALAMUS_LOG_LEVEL: 'error',
    THALAMUS_RATE_LIMIT: '100000',
    THALAMUS_TELEGRAM_POLL_SECONDS: '0.3',
    ...settings,
  });
  const server = await startServer(config, log ?? createLog(config.logLevel), additions);
  databases.set(`http://127.0.0.1:${port}`, database.connectionString);
  return {
    ...reachServer(`http://127.0.0.1:${port}`, key, ask),
    connectionString: database.connectionString,
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

const databases = new Map<string, string>();

/** The database of a server in this process, for states that only a browser creates. */
export function getServerDatabase({ url }: ReachedServer): string {
  const found = findServerDatabase({ url });
  if (found === undefined) throw new Error(`no server of this process listens at ${url}`);
  return found;
}

/** Undefined: the server runs in another process. */
export function findServerDatabase({ url }: Pick<ReachedServer, 'url'>): string | undefined {
  return databases.get(url);
}

/** A server that runs at an address, asked with `ask`. */
export function reachServer(url: string, key: string, ask: SendRequest = fetch): ReachedServer {
  const call: ReachedServer['call'] = async (operation, input = {}, options = {}) => {
    const response = await ask(`${url}/v1/tools/${operation}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.key ?? key}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      body: typeof input === 'string' ? input : JSON.stringify(input),
    });
    const body = (await response.json()) as Record<string, unknown>; // an answer or a problem; both are objects
    if (response.status === 200) checkAnswer(operation, body);
    return { status: response.status, body, headers: response.headers };
  };
  return {
    url,
    key,
    call,
    async ok(operation: string, input?: unknown, options?: { key?: string }) {
      const { status, body } = await call(operation, input, options);
      if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
      return body as never; // as the operation's schema has it
    },
    async request(path, init) {
      const response = await ask(`${url}${path}`, withJsonType(path, init));
      const operation = /^\/v1\/tools\/(\w+)$/.exec(path)?.[1];
      if (operation && response.status === 200) checkAnswer(operation, await response.clone().json());
      return response;
    },
  };
}

/** What is sent to operations and to signing in is JSON unless a test says otherwise; `fetch` would call a text `text/plain`. */
function withJsonType(path: string, init: RequestInit | undefined): RequestInit | undefined {
  const takesJson = /^\/(?:v1|api|auth|inbox|ingest)\//.test(path) && !path.startsWith('/v1/webhook/');
  if (!takesJson || typeof init?.body !== 'string') return init;
  const headers = new Headers(init.headers);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return { ...init, headers };
}
