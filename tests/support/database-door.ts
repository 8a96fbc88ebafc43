// A way to the PostgreSQL of a test that can be shut, as when the database is stopped, restarted or cut off.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** How the database is away: nobody listens; connections end at once; or it says that it is starting up. */
export type Away = 'refused' | 'cut' | 'starting';

export type DatabaseDoor = {
  connectionString: string;
  shut(away: Away): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
};

/** What PostgreSQL answers while it starts up: an error of the class 57P03 (Frontend/Backend Protocol, ErrorResponse). */
function buildStartingUpError(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0');
  const body = Buffer.from(`${fields}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

/** Listens on loopback, and passes everything on while it is open. */
export async function openDatabaseDoor(connectionString: string): Promise<DatabaseDoor> {
  const url = new URL(connectionString.replace('@/', '@socket/'));
  const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port')}`;
  const sockets = new Set<Socket>();
  let away: Away | null = null;
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    if (away === 'cut') return void client.destroy();
    if (away === 'starting') return void client.once('data', () => client.end(buildStartingUpError()));
    const upstream = connect(path).on('error', () => {});
    for (const socket of [client, upstream]) sockets.add(socket.on('close', () => sockets.delete(socket)));
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    connectionString: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}?sslmode=disable`,
    async shut(how) {
      away = how;
      const closed = how === 'refused' && server.listening ? once(server.close(), 'close') : null;
      cutAll();
      await closed;
    },
    async open() {
      away = null;
      if (!server.listening) await listen(port);
    },
    async close() {
      const closed = server.listening ? once(server.close(), 'close') : null;
      cutAll();
      await closed;
    },
  };
}
