// Receivers of deliveries: one that answers at once, one that hangs, a dead one, and one that answers a byte a second.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { findFreePort } from '../../tests/support/free-port.ts';

/** When each message arrived first, in milliseconds, by `webhook-id`. */
export type Receiver = { url: string; arrivals: Map<string, number>; close(): Promise<void> };

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const { url, close } = await serve(async (request, response) => {
    await buffer(request);
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, Date.now());
    response.writeHead(204).end();
  });
  return { url, arrivals, close };
}

/** The addresses of three bad receivers. */
export async function startBadReceivers(): Promise<{ urls: string[]; close(): Promise<void> }> {
  const hanging = await serve(() => {});
  const slow = await serve((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
  });
  const dead = `http://127.0.0.1:${await findFreePort()}`;
  return {
    urls: [hanging.url, slow.url, dead],
    close: async () => void (await Promise.all([hanging.close(), slow.close()])),
  };
}

async function serve(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer(listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, // it listens on a port
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
