import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { referenceRoutes } from '#faces/reference';
import { restRoutes, type RestEnvironment } from '#faces/rest';
import { consoleRoutes, createApp, listen, signInRoutes, statusRoutes } from '#faces/web';
import { createCatalogue, type Catalogue } from '#kernel/catalogue';
import type { Transactions } from '#kernel/database';
import { createExecute, type Execute } from '#kernel/execute';
import type { Ports } from '#kernel/ports';
import {
  accountOperations,
  createAuthenticate,
  createRateLimit,
  createSignIn,
  keepAnswer,
  keyResource,
  releaseAnswer,
  reserveAnswer,
  welcome,
  type Welcome,
} from '#modules/accounts';
import { recordCall, recordEvent } from '#modules/audit';
import { brainAccess, brainOperations, brainResource } from '#modules/brains';
import { memoryOperations, memoryResource, sessionResource } from '#modules/memory';
import { newId, now } from '#platform/clock';
import type { Config } from '#platform/config';
import { appConnection, appPool, createTransactions, kyselyOn, migrate, openDatabase } from '#platform/database';
import type { Log } from '#platform/log';
import { createSearch, type Search } from '#platform/search';
import { createTelemetry, type Telemetry } from '#platform/telemetry';
import type { Hono } from 'hono';
import { sql, type Kysely } from 'kysely';

export type Server = {
  url: string;
  /** What to show on the terminal; null unless this was the first start. */
  welcome: Welcome | null;
  close(): Promise<void>;
};

/** The doors of the platform, opened. */
type Platform = {
  config: Config;
  log: Log;
  db: Kysely<unknown>;
  transactions: Transactions;
  search: Search;
  telemetry: Telemetry;
};

type Closers = (() => Promise<unknown>)[];

/** Starts everything a server process is made of. Throws with a message for people when something is in the way. */
export async function startServer(config: Config, log: Log): Promise<Server> {
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const platform = await openPlatform(config, log, closers);
    const app = assemble(platform);
    const { db, transactions } = platform;
    const { publicUrl, bootstrapKey, host, port } = config;
    const greeting = await welcome({ db, transactions, publicUrl, bootstrapKey, now, newId });
    const listener = await listen(app.fetch, { host, port });
    closers.push(() => listener.close());
    return { url: listener.url, welcome: greeting, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPlatform(config: Config, log: Log, closers: Closers): Promise<Platform> {
  const database = await openDatabase(config, log);
  closers.push(() => database.close());
  const migrations = await migrate(database.connection);
  if (migrations.length) log.info({ migrations }, 'database brought up to date');
  const db = kyselyOn<unknown>(appPool(database.connection, config.databasePool));
  closers.push(() => db.destroy());
  const search = createSearch({
    connection: appConnection(database.connection),
    memoryMb: config.searchMemoryMb,
    log,
  });
  closers.push(() => search.close());
  return { config, log, db, transactions: createTransactions(db), search, telemetry: createTelemetry() };
}

/** Every operation of the product. */
function catalogueOf({ config, search }: Pick<Platform, 'config' | 'search'>): Catalogue {
  const { publicUrl } = config;
  return createCatalogue([
    ...memoryOperations({ search, publicUrl }),
    ...brainOperations,
    ...accountOperations({ publicUrl }),
  ]);
}

function kernelOf({ config, transactions, telemetry }: Platform): Execute {
  const resources = [brainResource, memoryResource, sessionResource, keyResource];
  const ports: Ports = {
    transactions,
    now,
    newId,
    limit: createRateLimit({ transactions, callsPerMinute: config.rateLimit, now }),
    resources: new Map(resources.map((resource) => [resource.kind, resource])),
    brainAccess,
    reserveAnswer,
    keepAnswer,
    releaseAnswer,
    emit: recordEvent,
    audit: recordCall,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    observe: (operation, caller, work) => telemetry.observe(operation.name, caller.kind, work),
  };
  return createExecute(ports);
}

/** The faces, over one catalogue and one way to execute. */
function assemble(platform: Platform): Hono<RestEnvironment> {
  const { config, log, db, transactions, telemetry } = platform;
  const catalogue = catalogueOf(platform);
  const execute = kernelOf(platform);
  const authenticate = createAuthenticate({ db, now });
  const signIn = createSignIn({ db, transactions, now, newId });
  const isReady = () =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
  const app = createApp({ newId, reportBug: (err, where) => log.error({ err, ...where }, 'a call failed by a bug') });
  app.route('/', statusRoutes({ isReady, metrics: telemetry.metrics }));
  app.route('/', referenceRoutes({ catalogue, publicUrl: config.publicUrl }));
  app.route('/', restRoutes({ catalogue, execute, authenticate }));
  app.route('/', signInRoutes({ signIn, authenticate, isSecure: config.isProduction }));
  app.route('/', consoleRoutes(join(import.meta.dirname, '../console/dist')));
  return app;
}
