import { Kysely, PostgresDialect } from 'kysely';
import { PreparedClient } from './prepared-client.ts';
import { Pool, types, type PoolConfig } from 'pg';

/** How to reach a database: the operator's own, or the embedded one. */
export type Connection = PoolConfig;

/** The role of all product work. It owns no table, so row level security binds it. */
const appRole = 'thalamus_app';

// int8 and numeric counts fit a double here; strings would surprise every caller.
types.setTypeParser(types.builtins.INT8, Number);

/** A process that hangs, or a lost network, must not keep locks and connections for ever. */
const limits = { statement_timeout: 60_000, lock_timeout: 20_000, idle_in_transaction_session_timeout: 60_000 };
const patience = { connectionTimeoutMillis: 15_000, keepAlive: true };

/** A connection with the role that row level security binds. */
export function appConnection(connection: Connection): Connection {
  const settings = Object.entries({ role: appRole, ...limits }).map(([name, value]) => `-c ${name}=${value}`);
  return { ...connection, ...patience, options: settings.join(' '), application_name: 'thalamus' };
}

/** A pool of such connections, which send queries without waiting for earlier answers. */
export function appPool(connection: Connection, max: number): Pool {
  return quiet(new Pool({ ...appConnection(connection), max, pipeline: true, Client: PreparedClient }));
}

/** A connection as the owner of the tables: only for migrations and the job queue's own tables. */
export function ownerConnection(connection: Connection): Connection {
  return { ...connection, ...patience, application_name: 'thalamus-owner' };
}

/** A pool of such connections. */
export function ownerPool(connection: Connection, max = 2): Pool {
  return quiet(new Pool({ ...ownerConnection(connection), max }));
}

/**
 * A connection that breaks fails its query, and is replaced by the next one; without listeners, on the pool for idle
 * connections and on each for when it is in use, it would end the process.
 */
function quiet(pool: Pool): Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}

/** A query builder over a pool. */
export function kyselyOn<Tables>(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
