import type { Connection } from './connect.ts';
import { findRunningPostgres, hasCluster, startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/index.ts';
import { embeddedLogin } from './login.ts';

/**
 * A database that can be connected to: `connection` with the server's login, `owner` with the login of the tables'
 * owner. `close` stops the embedded database.
 */
export type OpenDatabase = { connection: Connection; owner: Connection; close(): Promise<void> };

type Settings = {
  databaseUrl: string | null;
  ownerDatabaseUrl: string | null;
  databasePrepare: boolean;
  dataDir: string;
};
type OpenLog = { info(message: string): void; debug(message: string): void };

/** The database of the settings: the user's own, or the embedded one, which is started. */
export async function openDatabase(settings: Settings, log: OpenLog): Promise<OpenDatabase> {
  if (settings.databaseUrl) return { ...getConfiguredDatabase(settings, settings.databaseUrl), close: async () => {} };
  const embedded = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    settings: { autovacuum_naptime: '10s' }, // plans are poor until statistics exist, which matters after an import
    log: (line) => (isRoutine(line) ? log.debug(line) : log.info(line)),
  });
  return { ...getEmbeddedDatabase(embedded.connection), close: () => embedded.stop() };
}

/**
 * The same for a command beside a server: it joins the running embedded database, which keeps running. Throws where
 * there is none, instead of creating one.
 */
export async function joinDatabase(settings: Settings, log: OpenLog): Promise<OpenDatabase> {
  if (settings.databaseUrl) return openDatabase(settings, log);
  const connection = findRunningPostgres(settings.dataDir);
  if (connection) return { ...getEmbeddedDatabase(connection), close: async () => {} };
  if (hasCluster(settings.dataDir)) return openDatabase(settings, log);
  const advice = "Set THALAMUS_DATA_DIR or DATABASE_URL to the server's value.";
  throw new Error(`There is no Thalamus database in ${settings.dataDir}. ${advice}`);
}

/** The same for a command that fills an empty place: it creates the embedded database where there is none. */
export async function joinOrMakeDatabase(settings: Settings, log: OpenLog): Promise<OpenDatabase> {
  const isThere = settings.databaseUrl !== null || hasCluster(settings.dataDir);
  return isThere ? joinDatabase(settings, log) : openDatabase(settings, log);
}

function getConfiguredDatabase({ ownerDatabaseUrl, databasePrepare }: Settings, url: string) {
  const connection = { connectionString: url, prepare: databasePrepare };
  return { connection, owner: ownerDatabaseUrl ? { connectionString: ownerDatabaseUrl } : connection };
}

function getEmbeddedDatabase(owner: EmbeddedPostgres['connection']) {
  return { connection: { ...owner, user: embeddedLogin }, owner };
}

/** PostgreSQL's own lines about starting and stopping; people should see all other lines. */
function isRoutine(line: string): boolean {
  return /^(LOG|HINT|DETAIL|STATEMENT):|^FATAL: +terminating connection/.test(line.trim());
}
