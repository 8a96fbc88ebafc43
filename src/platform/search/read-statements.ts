// Several statements in one message, which is one round trip to the database.
import type { PoolClient } from 'pg';

type Result = { readonly rows: readonly unknown[] };

/** Sends statements in one message. The driver then returns an array of results, which its types do not describe. */
export async function readStatements(client: PoolClient, text: string): Promise<readonly Result[]> {
  const results: unknown = await client.query(text);
  if (!Array.isArray(results)) throw new Error('one statement was sent where several are expected');
  return results; // each is a result of the driver
}
