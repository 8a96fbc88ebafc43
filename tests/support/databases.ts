// Databases in a cluster that is there: clones of a template, and statements about them.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** How to connect to a database of the run's cluster, in the shape that `pg` and `migrate()` take. */
export type TestConnection = { host: string; port: number; user: string; database: string };

export type TestDatabase = { connection: TestConnection; connectionString: string; drop(): Promise<void> };

/** The name of the migrated database that test databases are clones of. */
export const templateDatabase = 'thalamus_template';

/** Clones the migrated template (about 50 ms), or another one. `drop` ends whatever is still connected. */
export async function cloneDatabase(server: TestConnection, template = templateDatabase): Promise<TestDatabase> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${database} template ${template} strategy file_copy`);
  const connection = { ...server, database };
  return {
    connection,
    connectionString: buildConnectionString(connection),
    drop: () => administer(server, `drop database if exists ${database} with (force)`),
  };
}

/** Runs one statement in the cluster's maintenance database. */
export async function administer(server: TestConnection, statement: string): Promise<void> {
  const client = new Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function buildConnectionString({ host, port, user, database }: TestConnection): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
