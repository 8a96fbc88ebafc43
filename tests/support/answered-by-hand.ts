// An HTTP service whose requests wait until the test answers them, so that a server can be killed before and after.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ServiceAnsweredByHand = {
  url: string;
  /** From now on another request is expected. */
  expectRequest(): void;
  /** Resolves with the first request since then. */
  awaitRequest(): Promise<ServerResponse>;
  close(): Promise<void>;
};

export async function startServiceAnsweredByHand(): Promise<ServiceAnsweredByHand> {
  let expected = Promise.withResolvers<ServerResponse>();
  const service = createServer((_request, response) => expected.resolve(response)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  return {
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, // a listening TCP server has one
    expectRequest: () => void (expected = Promise.withResolvers()),
    awaitRequest: () => expected.promise,
    async close() {
      service.closeAllConnections();
      service.close();
    },
  };
}
