// Whether the database answers, asked on a separate connection: calls that wait for a connection must not make the
// server look dead.
import { Pool } from 'pg';
import { buildAppConnection, type Connection } from './connect.ts';

export type Readiness = { isReady(): Promise<boolean>; close(): Promise<void> };

const answerWithinMs = 5_000;

/** Concurrent questions share one answer. */
export function createReadiness(connection: Connection): Readiness {
  const settings = { max: 1, connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  const pool = new Pool({ ...buildAppConnection(connection), ...settings, application_name: 'thalamus-ready' });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  let asking: Promise<boolean> | null = null;
  const ask = () =>
    pool
      .query('select')
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = null));
  return { isReady: () => (asking ??= ask()), close: () => pool.end() };
}
