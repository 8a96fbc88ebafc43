// A way to PostgreSQL that is slow like a network: what the server sends arrives a fixed time later.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type SlowProxy = { connectionString: string; close(): void };

/** Listens on loopback and passes everything on to the PostgreSQL of `connectionString`, answers `delayMs` late. */
export async function startSlowProxy(connectionString: string, delayMs: number): Promise<SlowProxy> {
  const url = new URL(connectionString.replace('@/', '@socket/'));
  const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port')}`;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(path);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => upstream.write(chunk)).on('close', () => upstream.destroy());
    // Timers of one duration run in the order they were set, so the bytes keep theirs.
    upstream
      .on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs))
      .on('close', () => setTimeout(() => client.destroy(), delayMs));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    connectionString: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}?sslmode=disable`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
