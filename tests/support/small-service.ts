// A small service of somebody else's: answers what a test says, by path, and remembers what it was asked.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ServiceRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type SmallService = {
  url: string;
  asked: ServiceRequest[];
  close(): Promise<void>;
};

/** Answers each request by `answer`: a status, and a body that is sent as JSON unless it is text. */
export async function startSmallService(
  answer: (asked: ServiceRequest) => { status?: number; headers?: Record<string, string>; body: unknown },
): Promise<SmallService> {
  const asked: ServiceRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const { status = 200, headers = {}, body: said } = answer(one);
    const isText = typeof said === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? said : JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
