import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '@hono/node-server';
import { endSlowBody, usualReadMs } from './slow-bodies.ts';

export type Listener = { url: string; close(): Promise<void> };
type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

const drainMs = 3_000;
/** Longer than clients and proxies keep a connection, so that the server never closes one just as a request arrives. */
const keepAliveTimeout = 75_000;

/**
 * Listens for HTTP. Throws an error that says what to do when the port is taken. Closing ends idle connections at once
 * and lets running calls finish for 3 s. A body must arrive within `readMs`.
 */
export function listen(
  fetch: Fetch,
  { host, port, readMs = usualReadMs }: { host: string; port: number; readMs?: number },
): Promise<Listener> {
  const running = new Set<ServerResponse>();
  let isClosing = false;
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: host, serverOptions: { keepAliveTimeout } }, (address) => {
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `http://${name}:${address.port}`,
        close: () =>
          new Promise((done) => {
            isClosing = true;
            server.close(() => done());
            endWhenQuiet();
            setTimeout(endAll, drainMs).unref();
          }),
      });
    });
    // Node does not count a connection without a request as idle, so all are closed once no call is running.
    const endAll = () => 'closeAllConnections' in server && server.closeAllConnections();
    const endWhenQuiet = () => isClosing && running.size === 0 && endAll();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      endSlowBody(request, response, readMs);
      running.add(response);
      response.once('close', () => {
        running.delete(response);
        endWhenQuiet();
      });
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(
              `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
            )
          : error,
      );
    });
  });
}
