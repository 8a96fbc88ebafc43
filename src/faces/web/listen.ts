import { serve } from '@hono/node-server';

export type Listener = { url: string; close(): Promise<void> };
type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

const drainMs = 3_000;
/** Longer than clients and proxies keep a connection, so that none is closed here just as a request goes into it. */
const keepAliveTimeout = 75_000;

/** Listens for HTTP. Throws with what to do when the port is taken. Closing lets running calls finish for 3 s. */
export function listen(fetch: Fetch, { host, port }: { host: string; port: number }): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: host, serverOptions: { keepAliveTimeout } }, (address) => {
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `http://${name}:${address.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            if (!('closeAllConnections' in server)) return;
            server.closeIdleConnections();
            setTimeout(() => server.closeAllConnections(), drainMs).unref();
          }),
      });
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(`Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`)
          : error,
      );
    });
  });
}
