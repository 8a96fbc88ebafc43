// A real HTTP server on loopback that records its requests, for this folder's tests.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request as it arrived. */
type LedgerEntry = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** `origin` is `http://127.0.0.1:port`. `connections` counts sockets, to show whether they are reused. */
export type LocalServer = {
  origin: string;
  port: number;
  ledger: LedgerEntry[];
  connections: () => number;
  close: () => Promise<void>;
};

type AnswerRequest = (entry: LedgerEntry, response: ServerResponse) => void;

/**
 * Starts a server on a free port (or the given one) of a loopback address; `answer` is called after the body is read.
 */
export async function startServer(
  answer: AnswerRequest,
  at: { host?: string; port?: number } = {},
): Promise<LocalServer> {
  const ledger: LedgerEntry[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: await text(request) };
    ledger.push(entry);
    answer(entry, response);
  });
  const listening = await listen(server, at);
  return { ...listening, ledger };
}

/** Starts a TCP server, for answers that no HTTP server would give. */
export async function startTcpServer(answer: (socket: Socket) => void): Promise<Omit<LocalServer, 'ledger'>> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    answer(socket);
  });
  return listen(server, {});
}

async function listen(server: Server, { host = '127.0.0.1', port = 0 }: { host?: string; port?: number }) {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // a listening TCP server has one
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return { origin: `http://${host}:${address.port}`, port: address.port, connections: () => count, close };
}

/** A loopback port that nothing listens on. */
export async function findClosedPort(): Promise<number> {
  const { port, close } = await startTcpServer(() => undefined);
  await close();
  return port;
}
