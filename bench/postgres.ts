// The PostgreSQL of a run: embedded, in a temporary folder, with the settings that a production server has.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/index.ts';

export type BenchPostgres = {
  /** Makes an empty database and answers its connection string. */
  createDatabase(): Promise<string>;
  /** Stops it and removes its folder. May be called more than once. */
  stop(): Promise<void>;
};

/** Starts it; what it writes to its log goes to `log`. */
export async function startBenchPostgres(log: (line: string) => void = () => {}): Promise<BenchPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'thalamus-bench-'));
  chmodSync(dataDir, 0o711); // as root the database runs under another account, which has to pass through
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const { host, port, user } = postgres.connection;
    const connectionString = (database: string) =>
      `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    return {
      async createDatabase() {
        const name = `bench_${randomUUID().replaceAll('-', '')}`;
        await runSql(connectionString('postgres'), `create database ${name} template template0`);
        return connectionString(name);
      },
      async stop() {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs statements as the owner of the database, without row level security. Returns the rows of the last one. */
export async function runSql<Row>(connectionString: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const result = await client.query(text, values);
    // With several statements in one text the driver gives an array of results, which its types do not know.
    return [result].flat().at(-1)?.rows as Row[];
  } finally {
    await client.end();
  }
}
