import type { Connection } from './connect.ts';
import { findRunningPostgres, hasCluster, startEmbeddedPostgres } from './embedded/index.ts';

/** A database that can be connected to. `close` stops it when it is the embedded one. */
export type OpenDatabase = { connection: Connection; close(): Promise<void> };

/** The database of the settings: the user's own, or the embedded one, which is started. */
export async function openDatabase(
  settings: { databaseUrl: string | null; dataDir: string },
  log: { info(message: string): void; debug(message: string): void },
): Promise<OpenDatabase> {
  if (settings.databaseUrl) return { connection: { connectionString: settings.databaseUrl }, close: async () => {} };
  const embedded = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    settings: { autovacuum_naptime: '10s' }, // plans are poor until statistics exist, which matters after an import
    log: (line) => (isRoutine(line) ? log.debug(line) : log.info(line)),
  });
  return { connection: embedded.connection, close: () => embedded.stop() };
}

/**
 * The same for a command beside a server: joins the running embedded database, which keeps running. Creates none:
 * throws where there is none.
 */
export async function joinDatabase(...[settings, log]: Parameters<typeof openDatabase>): Promise<OpenDatabase> {
  if (settings.databaseUrl) return openDatabase(settings, log);
  const connection = findRunningPostgres(settings.dataDir);
  if (connection) return { connection, close: async () => {} };
  if (hasCluster(settings.dataDir)) return openDatabase(settings, log);
  const advice = 'Set THALAMUS_DATA_DIR, or DATABASE_URL, as the server has it.';
  throw new Error(`There is no database of Thalamus in ${settings.dataDir}. ${advice}`);
}

/** The same for a command that fills a new place: creates the embedded database where there is none. */
export async function joinOrMakeDatabase(...[settings, log]: Parameters<typeof openDatabase>): Promise<OpenDatabase> {
  const isThere = settings.databaseUrl !== null || hasCluster(settings.dataDir);
  return isThere ? joinDatabase(settings, log) : openDatabase(settings, log);
}

/** PostgreSQL's own lines about starting and stopping; everything else is worth a person's eyes. */
function isRoutine(line: string): boolean {
  return /^(LOG|HINT|DETAIL|STATEMENT):|^FATAL: +terminating connection/.test(line.trim());
}
