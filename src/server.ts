import { join } from 'node:path';
import { createFeed, createEventRoutes } from '#faces/events';
import { createMcpFace, listOrderedToolsets, type McpExtension } from '#faces/mcp';
import { createReferenceRoutes } from '#faces/reference';
import { createRestRoutes, type RestEnvironment } from '#faces/rest';
import { createConsoleRoutes, createApp, createSignInWith, listen, webRoutes, type ReportBug } from '#faces/web';
import { createCatalogue, findLargestBody, type Catalogue } from '#kernel/catalogue';
import { createCalls } from '#kernel/calls';
import { createExecute, createReadChoices } from '#kernel/execute';
import type { Background } from '#kernel/module';
import type { Operation } from '#kernel/operation';
import type { Ports } from '#kernel/ports';
import {
  createAuthenticate,
  createDownloads,
  createFindViewer,
  createProofHandOver,
  createSignIn,
  listPersonEnders,
  findFirstWorkspaceId,
  listWorkspaceIds,
  makeOwnerLink,
  createFirstWorkspace,
  type Welcome,
} from '#modules/accounts';
import { insertAuditRow } from '#modules/audit';
import { createResources, getOAuthServer } from '#modules/oauth-server';
import { createPlatform, openPlatform, type Platform } from '#platform';
import { newId, now } from '#platform/clock';
import type { Config } from '#platform/config';
import {
  admitLogin,
  createAppPool,
  runAsSystem,
  createTransactions,
  joinDatabase,
  createKysely,
} from '#platform/database';
import { createLog, type Log } from '#platform/log';
import { createForgetting } from '#platform/vault';
import type { Hono } from 'hono';
import { readConfig } from './configuration.ts';
import { createOtherCredentials, createPorts } from './ports.ts';
import { createProductCatalogue, createProduct } from './product.ts';

export type Server = {
  url: string;
  /** The text for the terminal; null unless this was the first start. */
  welcome: Welcome | null;
  close(): Promise<void>;
};

/** Further tools and methods. The conformance suite adds its fixtures this way. */
export type Additions = { operations?: readonly Operation[]; mcp?: McpExtension };

/** Starts all parts of a server process. Throws an error with a message for people when it cannot start. */
export async function startServer(config: Config, log: Log, additions: Additions = {}): Promise<Server> {
  await using opened = new AsyncDisposableStack();
  const platform = opened.adopt(await openPlatform(config, log), (each) => each.close());
  const { app, mcp, background } = assemble(platform, additions);
  const { db, transactions, jobs } = platform;
  const { publicUrl, bootstrapKey, ownerEmail, host, port } = config;
  const working = opened.use(new AsyncDisposableStack()); // disposed of after the faces, before the platform
  // The port comes first: a start that fails because the port is in use must not create secrets that are shown only once.
  // Early callers wait.
  const begun = Promise.withResolvers<void>();
  let isBegun = false;
  const listener = await listen(
    (...call) => (isBegun ? app.fetch(...call) : begun.promise.then(() => app.fetch(...call))),
    { host, port },
  );
  opened.defer(() => listener.close());
  opened.defer(() => mcp.close());
  const greeting = await createFirstWorkspace({ db, transactions, publicUrl, bootstrapKey, ownerEmail, now, newId });
  if (!greeting) platform.search.warmUp(); // at the first start there is nothing to search
  await jobs.start();
  for (const each of background) await working.use(each).start?.();
  isBegun = true;
  begun.resolve();
  const running = opened.move();
  return { url: listener.url, welcome: greeting, close: () => running.disposeAsync() };
}

/** Wraps every workspace's data keys with the current root key; servers may keep running. */
export async function rotateMasterKey(config: Config, log: Log): Promise<{ workspaces: number; rewrapped: number }> {
  const platform = await openPlatform(config, log, joinDatabase);
  try {
    const ids = await runAsSystem(platform.db, listWorkspaceIds);
    let rewrapped = 0;
    for (const id of ids) {
      rewrapped += await platform.transactions.run(id, 'write', (db) => platform.vault.rewrap(db, id));
    }
    return { workspaces: ids.length, rewrapped };
  } finally {
    await platform.close();
  }
}

/**
 * A link that signs the owner in as a person, and an audit row about it; null before the first start. The server may
 * keep running: this starts no services and runs no migrations.
 */
export async function signInOwner(config: Config, log: Log): Promise<{ url: string; expiresAt: Date } | null> {
  const database = await joinDatabase(config, log);
  const db = createKysely<unknown>(createAppPool(database.connection, 1));
  try {
    await admitLogin(database);
    const workspaceId = await runAsSystem(db, findFirstWorkspaceId);
    if (!workspaceId) return null;
    const link = { id: newId(), workspaceId, publicUrl: config.publicUrl, at: now() };
    return await createTransactions(db).run(workspaceId, 'write', async (inner) => {
      const made = await makeOwnerLink(inner, link);
      if (made) {
        const by = { caller_kind: 'system', caller_id: made.personId, person_id: made.personId, face: 'cli' } as const;
        const call = {
          operation: 'create_sign_in_link',
          request_id: link.id,
          subject: { by: 'the operator of the server' },
        };
        await insertAuditRow(inner, { id: newId(), workspace_id: workspaceId, at: link.at, ...by, ...call });
      }
      return made;
    });
  } finally {
    await db.destroy();
    await database.close();
  }
}

/** The catalogue of the product, without a database: for documentation. */
export function describeProduct(): Promise<Catalogue> {
  return withoutDatabase(createProductCatalogue);
}

/** Every served route, as `METHOD /path`, without a database: for the test that compares them with ARCHITECTURE.md. */
export function describeRoutes(): Promise<string[]> {
  return withoutDatabase((platform) =>
    assemble(platform, {}).app.routes.map(({ method, path }) => `${method} ${path}`),
  );
}

async function withoutDatabase<T>(describe: (platform: Platform) => T): Promise<T> {
  const config = readConfig({ NODE_ENV: 'test', THALAMUS_MASTER_KEY: Buffer.alloc(32).toString('base64') });
  const platform = createPlatform(config, createLog('silent'), { connection: {}, owner: {} });
  try {
    return describe(platform);
  } finally {
    await platform.close();
  }
}

/** The faces, over one catalogue and one function that runs operations. */
function assemble(platform: Platform, additions: Additions) {
  const { config, log, db, transactions } = platform;
  const { publicUrl, host } = config;
  const product = createProduct(platform);
  const catalogue = createCatalogue([...product.operations, ...(additions.operations ?? [])]);
  const { ground } = product;
  const { emitEvent } = ground;
  const ports = createPorts(ground, product.resources);
  const execute = createExecute(ports);
  const readChoices = createReadChoices(ports);
  const authenticate = createAuthenticate({
    db,
    transactions,
    others: createOtherCredentials(ground),
    emitEvent,
    now,
    newId,
  });
  const { signUp } = config;
  const ends = listPersonEnders(ground.modules);
  const signIn = createSignIn({ ...ground, signUp, publicUrl, ends, now, newId });
  const reportBug = createReportBug(log);
  const noteRefusal = (err: unknown) => log.debug({ err }, 'an MCP request was refused');
  const extension = additions.mcp && { extension: additions.mcp };
  const mcp = createMcpFace({
    catalogue,
    execute,
    readChoices,
    authenticate,
    publicUrl,
    resources: createResources(publicUrl),
    reportBug,
    noteRefusal,
    ...extension,
  });
  const app: Hono<RestEnvironment> = createApp({
    newId,
    now,
    reportBug,
    publicUrl,
    isSecure: config.isSecure,
    host,
    trustedProxies: ground.config.trustedProxies,
    operationBytes: findLargestBody(catalogue),
  });
  const viewerDeps = { db, transactions, now, newId };
  const [findViewer, downloads] = [createFindViewer(viewerDeps), createDownloads(viewerDeps)];
  const handOver = createProofHandOver(viewerDeps);
  const signInWith = createSignInWith(ground, { signIn, authenticate, findViewer, handOver });
  const toolsets = listOrderedToolsets(catalogue);
  const oauthServer = getOAuthServer(ground);
  const web = { ground, catalogue, execute, authenticate, findViewer, downloads, signInWith, oauthServer, toolsets };
  for (const createRoutes of webRoutes) app.route('/', createRoutes(web));
  addFaces(app, { ...web, ports, mcp, reportBug });
  const background = [
    ...createForgettingWork(platform),
    ...product.prepareWork(createCalls(ports, catalogue, execute)),
  ];
  return { app, mcp, background };
}

type FaceDeps = Parameters<(typeof webRoutes)[number]>[0] & {
  ports: Ports;
  mcp: ReturnType<typeof createMcpFace>;
  reportBug: ReportBug;
};

/** The other faces, in order; the console serves the remaining paths. */
function addFaces(app: Hono<RestEnvironment>, faces: FaceDeps): void {
  const { ground, catalogue, execute, authenticate, toolsets, ports, mcp, reportBug } = faces;
  const { config, transactions, modules } = ground;
  app.route('/', createReferenceRoutes({ catalogue, toolsets, publicUrl: config.publicUrl }));
  app.route('/', createRestRoutes({ catalogue, execute, authenticate }));
  app.route(
    '/',
    createEventRoutes({
      feed: createFeed({ transactions, kinds: modules.flatMap(({ events = [] }) => events) }),
      authenticate,
      limit: ports.limit,
      reportBug,
    }),
  );
  app.route('/', mcp.routes);
  app.route('/', createConsoleRoutes(join(import.meta.dirname, '../console/dist')));
}

/** If an external vault stores secrets, removed ones are also deleted there. */
function createForgettingWork(platform: Platform): Background[] {
  if (!platform.config.externalVault) return [];
  return [createForgetting({ ...platform, asSystem: (work) => runAsSystem(platform.db, work) })];
}

/** Logs a bug. An error whose fields throw when read must not hide it. */
function createReportBug(log: Log): ReportBug {
  return (err, where) => {
    try {
      log.error({ err, ...where }, 'a call failed because of a bug');
    } catch {
      log.error(where, 'a call failed because of a bug whose error cannot be read');
    }
  };
}
