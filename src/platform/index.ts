import type { Transactions } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import type { Module } from '#kernel/module';
import { createBlobs, type Blobs } from '#platform/blobs';
import { newId, now } from '#platform/clock';
import type { Config } from '#platform/config';
import {
  admitLogin,
  buildAppConnection,
  createAppPool,
  checkPrepared,
  checkTenancy,
  createReadiness,
  createTransactions,
  keepStatistics,
  createKysely,
  migrate,
  openDatabase,
  renewIds,
  watchWrites,
  type OpenDatabase,
  type WatchedTransactions,
} from '#platform/database';
import { createEgress, type Egress } from '#platform/egress';
import { createEmbedders, type Embedders } from '#platform/embeddings';
import { createExtraction, type Extraction } from '#platform/extraction';
import { createJobs, type Jobs } from '#platform/jobs';
import { createLlm, type Llm } from '#platform/llm';
import type { Log } from '#platform/log';
import { createMail, type Mail } from '#platform/mail';
import { createSandbox, type Sandbox } from '#platform/sandbox';
import { createSearch, type Search } from '#platform/search';
import { createTelemetry, type Telemetry } from '#platform/telemetry';
import {
  checkRootKeys,
  createExternalVault,
  createVault,
  generateRootKey,
  createLocalRootKey,
  type KeyWrapper,
  type Vault,
} from '#platform/vault';
import type { Kysely } from 'kysely';

/** Opens the parts of the platform, and closes them. */
export type Platform = {
  config: Config;
  log: Log;
  db: Kysely<unknown>;
  transactions: Transactions;
  /** The same, with a report of every write; null without an embedder, because only embedding needs it. */
  watched: WatchedTransactions | null;
  search: Search;
  egress: Egress;
  vault: Vault;
  jobs: Jobs;
  mail: Mail | null;
  llm: Llm | null;
  sandbox: Sandbox;
  /** Originals of documents. */
  blobs: Blobs;
  /** The words of files. */
  extraction: Extraction;
  /** Modules get an embedder from `embedderOf` of the usage module, which has the meter. */
  embedders: Embedders | null;
  telemetry: Telemetry;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};

/** The ground of modules: the open platform, the declarations of all modules, and the function that emits events. */
export type Ground = Platform & { modules: readonly Module<Ground>[]; emitEvent: EmitEvent };

/** Starts or reaches the database, migrates it, and opens the rest of the platform. */
export async function openPlatform(config: Config, log: Log, open = openDatabase): Promise<Platform> {
  const database = await open(config, log);
  try {
    const migrations = await migrate(database.owner);
    if (migrations.length)
      log.info({ applied: migrations.length, last: migrations.at(-1) }, 'database brought up to date');
    const renewed = await renewIds(database.owner);
    if (renewed) log.info({ rows: renewed }, 'transaction ids of another cluster replaced');
    await checkRootKeys(
      database.owner,
      readRootKeys(config).map(({ id }) => id),
    );
    await admitLogin(database);
    if (config.databaseUrl) await checkPrepared(database.connection);
    const platform = createPlatform(config, log, database);
    await checkTenancy(platform.db).catch(async (error: unknown) => {
      await platform.close();
      throw error;
    });
    const statistics = keepStatistics(database.owner, log);
    const close = async () => {
      await statistics.stop();
      await platform.close();
      await database.close();
    };
    return { ...platform, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The root key of the vault, and the previous one where it is set. */
function readRootKeys({ masterKey, previousMasterKey, dataDir }: Config): [KeyWrapper, ...KeyWrapper[]] {
  const current = createLocalRootKey(masterKey ?? generateRootKey(dataDir));
  return previousMasterKey ? [current, createLocalRootKey(previousMasterKey)] : [current];
}

/** How to reach the database as the server, and as the owner of its tables. */
type Logins = Pick<OpenDatabase, 'connection' | 'owner'>;

/** The platform on a database; nothing connects until it is used. */
export function createPlatform(config: Config, log: Log, { connection, owner }: Logins): Platform {
  const db = createKysely<unknown>(createAppPool(connection, config.databasePool));
  const readiness = createReadiness(connection);
  const search = createSearch({ connection: buildAppConnection(connection), memoryMb: config.searchMemoryMb, log });
  const telemetry = createTelemetry();
  const sent = telemetry.timer(
    'thalamus_egress_request_seconds',
    'How long requests to other services took, by outcome.',
    ['outcome'],
  );
  const onEnded = (outcome: string, seconds: number) => sent.observe(seconds, { outcome });
  const egress = createEgress({ allow: config.egressAllow, webBaseUrl: config.webBaseUrl, onEnded });
  const embedders = createEmbedders(egress, config.embeddings);
  const sandbox = createSandbox();
  const transactions = createTransactions(db);
  const watched = embedders && watchWrites(transactions);
  const jobs = createJobs({ connection: owner, onError: (err, job) => log.error({ err, job }, 'a job failed') });
  const depths = async () =>
    (await jobs.countDepth()).map(({ queue, state, count }) => ({ value: count, of: { queue, state } }));
  telemetry.gauge('thalamus_queue_depth', 'Jobs that wait or run, in all processes.', ['queue', 'state'], depths);
  const [current, previous = null] = readRootKeys(config);
  const local = createVault({ current, previous, newId, now });
  return {
    config,
    log,
    db,
    transactions: watched ?? transactions,
    watched,
    search,
    egress,
    vault: config.externalVault ? createExternalVault(egress, config.externalVault, local) : local,
    jobs,
    mail: createMail(config.mail),
    llm: createLlm(egress, config.llm),
    sandbox,
    blobs: createBlobs(egress, { dataDir: config.dataDir, s3: config.blobs }),
    extraction: createExtraction(),
    embedders,
    telemetry,
    isReady: readiness.isReady,
    async close() {
      await sandbox.close();
      await jobs.stop();
      await embedders?.close();
      await egress.close();
      await search.close();
      await readiness.close();
      await db.destroy();
    },
  };
}
