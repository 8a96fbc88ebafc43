import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A service of the person's own that takes webhooks on a loopback port. */
export type Receiver = {
  url: string;
  /** The received requests. */
  got: { headers: IncomingHttpHeaders; body: string }[];
  /** The status of its answers. Initially 204. */
  answerWith(status: number): void;
  close(): Promise<void>;
};

/** Starts a receiver that records requests. */
export async function startReceiver(): Promise<Receiver> {
  const got: Receiver['got'] = [];
  let status = 204;
  const http = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: (await buffer(request)).toString() });
    response.statusCode = status;
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, // it listens on a port
    got,
    answerWith(next) {
      status = next;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
