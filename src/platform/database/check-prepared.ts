// Checks at the start whether a pooler supports prepared statements: without support, calls would fail at random.
import { Client, DatabaseError } from 'pg';
import { buildAppConnection, type Connection } from './connect.ts';

const answerWithinMs = 3_000;
const statement = { name: 'thalamus probe', text: 'select 1', values: [] };

/**
 * Throws an error that names the setting to change when a prepared statement is missing later on the same connection.
 */
export async function checkPrepared(connection: Connection): Promise<void> {
  if (connection.prepare === false) return;
  const settings = { ...buildAppConnection(connection), query_timeout: answerWithinMs };
  const [one, other] = [new Client(settings), new Client(settings)];
  for (const client of [one, other]) client.on('error', () => {});
  try {
    await one.connect();
    await one.query(statement);
    await other.connect();
    await other.query('begin'); // takes the connection behind the pooler that `one` used
    await one.query(statement);
    await other.query('commit');
  } catch (error) {
    const isMissing = error instanceof DatabaseError && /^(26000|42P05)$/.test(error.code ?? '');
    if (!isMissing) return; // a pooler with one connection does not answer; other errors appear again where they matter
    throw new Error(
      'The pooler in front of the database does not support prepared statements. Set THALAMUS_DATABASE_PREPARE=false, or use a pooler that does (PgBouncer 1.21 or newer with max_prepared_statements).',
      { cause: error },
    );
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})));
  }
}
