// A streaming standby of an embedded PostgreSQL, made as operators make one, and a door that leads to the one or the other.
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseClusterAccount, giveTo } from '../../src/platform/database/embedded/account.ts';
import { prepareBinaries } from '../../src/platform/database/embedded/binaries.ts';
import { findCluster } from '../../src/platform/database/embedded/cluster-location.ts';
import { makeSocketFolder } from '../../src/platform/database/embedded/socket-folder.ts';
import { spawnPostgres } from '../../src/platform/database/embedded/spawn-postgres.ts';

type Address = { host: string; port: number; user: string; database: string };
export type Standby = {
  connection: Address;
  /** Ends the stream from the primary: later writes are only on the primary. */
  cutOff(): Promise<void>;
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/** Copies the running cluster of a data folder, and starts the copy as its standby. */
export async function startStandby(primary: Address, dataDir: string, copyTo: string): Promise<Standby> {
  const from = findCluster(dataDir)!;
  const client = new Client(primary);
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  execFileSync('cp', ['-a', from, copyTo]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  rmSync(join(copyTo, 'postmaster.pid'), { force: true });
  execFileSync('sh', ['-c', `rm -rf "${copyTo}"/pg_wal/0* "${copyTo}"/.s.PGSQL.*`]);
  writeFileSync(join(copyTo, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(copyTo, 'standby.signal'), '');
  appendFileSync(
    join(copyTo, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=${primary.host} port=${primary.port} user=${primary.user}'\n`,
  );
  const account = chooseClusterAccount(from);
  giveTo(account, copyTo);
  const binaries = await prepareBinaries({ account, copyTo: dirname(copyTo), log: () => {} });
  const socket = { dir: makeSocketFolder(copyTo, primary.port, account), port: primary.port };
  const settings = { fsync: 'off' };
  const child = spawnPostgres({ binaries, account, clusterDir: copyTo, socket, settings, log: () => {} });
  const connection = { ...primary, host: socket.dir };
  while (!(await isReachable(connection))) {
    if (child.ended()) throw new Error(`The standby ended: ${child.ended()}`);
    await sleep(50);
  }
  return {
    connection,
    async cutOff() {
      appendFileSync(join(copyTo, 'postgresql.auto.conf'), "primary_conninfo = ''\n");
      await ask(connection, 'select pg_reload_conf()');
      while ((await ask(connection, 'select from pg_stat_wal_receiver')).length) await sleep(50);
    },
    async promote() {
      await ask(connection, 'select pg_promote(false)');
      while ((await ask(connection, 'select where pg_is_in_recovery()')).length) await sleep(50);
    },
    stop: child.stop,
  };
}

async function ask(connection: Address, statement: string): Promise<unknown[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

async function isReachable(connection: Address): Promise<boolean> {
  const client = new Client(connection);
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

export type Switch = { connectionString: string; leadTo(address: Address): void; close(): void };

/** Listens on loopback, and passes everything on to one server until it is told to lead to another. */
export async function openSwitch(first: Address): Promise<Switch> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(`${target.host}/.s.PGSQL.${target.port}`);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    connectionString: `postgresql://${first.user}@127.0.0.1:${port}/${first.database}?sslmode=disable`,
    leadTo(address) {
      target = address;
      cutAll();
    },
    close() {
      server.close();
      cutAll();
    },
  };
}
