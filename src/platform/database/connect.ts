import { Kysely, PostgresDialect } from 'kysely';
import { BoundClient } from './bound-client.ts';
import { Pool, types, type PoolConfig } from 'pg';

/**
 * How to reach a database: the operator's own, or the embedded one. `prepare: false`: a pooler does not support
 * prepared statements.
 */
export type Connection = PoolConfig & { prepare?: boolean };

// int8 and numeric counts fit into a double here; strings would surprise every caller.
types.setTypeParser(types.builtins.INT8, Number);

const patience = { connectionTimeoutMillis: 15_000, keepAlive: true };

/** A connection with the server's login. Its rights are set in each transaction (`binding.ts`). */
export function buildAppConnection(connection: Connection): Connection {
  return { ...connection, ...patience, application_name: 'thalamus' };
}

/**
 * A pool of such connections. They send queries without waiting for earlier answers, and only in transactions bound to
 * the product's role.
 */
export function createAppPool(connection: Connection, max: number): Pool {
  return ignorePoolErrors(new Pool({ ...buildAppConnection(connection), max, pipeline: true, Client: BoundClient }));
}

/** A connection as the owner of the tables: only for migrations and for the job queue's tables. */
export function buildOwnerConnection(connection: Connection): Connection {
  return { ...connection, ...patience, application_name: 'thalamus-owner' };
}

/** A pool of such connections. */
export function createOwnerPool(connection: Connection, max = 2): Pool {
  return ignorePoolErrors(new Pool({ ...buildOwnerConnection(connection), max }));
}

/**
 * A broken connection fails its query and is replaced. Without error listeners, on the pool for idle connections and on
 * each connection in use, it would end the process.
 */
function ignorePoolErrors(pool: Pool): Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}

/** A query builder over a pool. */
export function createKysely<Tables>(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
