// Stands before somebody else's emulator: knows what it has at another place, and stops a request on its way.
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request that was stopped; with `arrives` it goes on although its sender may be gone. */
export type StoppedRequest = { reached: Promise<void>; release(arrives: boolean): void };

export type Front = {
  url: string;
  /** With what the last request was allowed. */
  authorization(): string;
  /** Stops the request of that number from now on, before or after it takes effect. */
  stop(nth: number, when: 'before' | 'after'): StoppedRequest;
  close(): void;
};

type Order = { left: number; when: 'before' | 'after'; reach(): void; released: Promise<boolean> };

/** `moved`: paths that the emulator has elsewhere. */
export async function startFront(
  port: number,
  emulatorPort: number,
  moved: Readonly<Record<string, string>> = {},
): Promise<Front> {
  const url = `http://127.0.0.1:${port}`;
  let authorization = '';
  let order: Order | null = null;

  /** The order, when it is for this request. */
  function taken(): Order | null {
    if (!order || (order.left -= 1) > 0) return null;
    const mine = order;
    order = null;
    return mine;
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(incoming.url ?? '/', url);
    authorization = incoming.headers.authorization ?? authorization;
    const mine = taken();
    const body = await buffer(incoming);
    if (mine?.when === 'before') {
      mine.reach();
      if (!(await mine.released)) return void outgoing.destroy();
    }
    const path = (moved[pathname] ?? pathname) + search;
    const { method, headers } = incoming;
    const passed = forward({ port: emulatorPort, host: '127.0.0.1', method, path, headers });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage]; // as its documentation says
    const content = await buffer(answer);
    if (mine?.when === 'after') {
      mine.reach();
      await mine.released;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  }

  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => {}); // the client may have disconnected
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url,
    authorization: () => authorization,
    stop(nth, when) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<boolean>();
      order = { left: nth, when, reach: reached.resolve, released: released.promise };
      return {
        reached: reached.promise,
        release(arrives) {
          order = null;
          released.resolve(arrives);
        },
      };
    },
    close: () => void server.close(),
  };
}
