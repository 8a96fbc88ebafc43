// The servers that the operation benchmark compares, in one process, so that each has the same engine and the same noise.
import { once } from 'node:events';
import { createCatalogue, findLargestBody } from '#kernel/catalogue';
import type { Db, Transactions } from '#kernel/database';
import { createExecute } from '#kernel/execute';
import { defineOperation } from '#kernel/operation';
import type { Ports } from '#kernel/ports';
import { createRestRoutes } from '#faces/rest';
import { createApp, listen, type Listener } from '#faces/web';
import { createAuthenticate, createRateLimit } from '#modules/accounts';
import { readBrainAccess } from '#modules/brains';
import { newId, now } from '#platform/clock';
import { createAppPool, createTransactions, createKysely } from '#platform/database';
import { createLog } from '#platform/log';
import { createTelemetry, exportWhenAsked } from '#platform/telemetry';
import { createNamedTurns } from '#platform/turns';
import { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { Pool } from 'pg';
import { z } from 'zod';
import { readConfig } from '../src/configuration.ts';
import { startServer } from '../src/server.ts';

/** Where the servers listen: the product, the same faces and kernel over no database, and routes without any of it. */
export type OperationServers = { product: string; kernel: string; bare: string; brainId: string };

const poolSize = 10;
const input = z.strictObject({ id: z.string() });
const output = z.object({ id: z.string(), name: z.string() });
const definition = {
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'brains:read' },
  input,
  output,
  errors: [],
  examples: [{ title: 'A brain', input: { id: 'x' } }],
} as const;

const readOneRow = defineOperation({
  ...definition,
  name: 'read_one_row',
  summary: 'Read one row.',
  run: (ctx, { id }) => readRow(ctx.db, id),
});
const readNothing = defineOperation({
  ...definition,
  name: 'read_nothing',
  summary: 'Answer without a look at the database.',
  run: async (_ctx, { id }) => ({ id, name: 'nothing' }),
});

await exportWhenAsked(process.env);
const { databaseUrl, key } = readSettings();
const connection = { connectionString: databaseUrl };
const product = await startServer(
  readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    THALAMUS_DATABASE_POOL: String(poolSize),
    THALAMUS_BOOTSTRAP_KEY: key,
    THALAMUS_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    THALAMUS_RATE_LIMIT: '10000000',
  }),
  createLog('silent'),
  { operations: [readOneRow, readNothing] },
);
const owner = new Pool({ ...connection, max: 1 });
const { rows } = await owner.query('select id, workspace_id from brains limit 1');
const [brain] = rows as [{ id: string; workspace_id: string }];
const kernel = await startKernel();
const bare = await startBare(brain.workspace_id);
const servers: OperationServers = { product: product.url, kernel: kernel.url, bare: bare.url, brainId: brain.id };
process.send?.(servers);

await once(process, 'disconnect');
process.exit();

function readSettings(): { databaseUrl: string; key: string } {
  const [databaseUrl, key] = process.argv.slice(2);
  if (!databaseUrl || !key) throw new Error('usage: operation-servers.ts <database url> <key>');
  return { databaseUrl, key };
}

async function readRow(db: Db, id: string): Promise<{ id: string; name: string }> {
  return db.selectFrom('brains').select(['id', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Everything that `execute` and the REST face do, but for the transaction: work gets no database. */
function startKernel(): Promise<Listener> {
  const db = createKysely<unknown>(createAppPool(connection, 2));
  const bound = createTransactions(db);
  const transactions: Transactions = { run: (_workspaceId, _mode, work) => work(undefined as unknown as Db) };
  const telemetry = createTelemetry();
  const ports: Ports = {
    transactions,
    now,
    newId,
    limit: createRateLimit({ limiter: 'calls', transactions: bound, callsPerMinute: 10_000_000, now }),
    resources: new Map(),
    brainAccess: readBrainAccess,
    lockCaller: async () => {},
    reserveAnswer: async () => null,
    keepAnswer: async () => {},
    releaseAnswer: async () => {},
    emit: async () => {},
    audit: async () => {},
    inTurn: createNamedTurns(),
    hash: (text) => text,
    observe: (operation, caller, work) => telemetry.observe(operation.name, caller.kind, work),
  };
  const catalogue = createCatalogue([readNothing]);
  const authenticate = createAuthenticate({
    db,
    transactions: bound,
    others: {},
    emitEvent: async () => {},
    now,
    newId,
  });
  const app = createApp({
    newId,
    now,
    reportBug: (error) => console.error(error),
    isSecure: false,
    publicUrl: 'http://localhost',
    host: '127.0.0.1',
    trustedProxies: [],
    operationBytes: findLargestBody(catalogue),
  });
  app.route('/', createRestRoutes({ catalogue, execute: createExecute(ports), authenticate }));
  return listen(app.fetch, { host: '127.0.0.1', port: 0 });
}

/** What one would write by hand: parse, read, answer. The workspace is set for the connection, once. */
function startBare(workspaceId: string): Promise<Listener> {
  const bound = { ...connection, options: `-c role=thalamus_app -c thalamus.workspace_id=${workspaceId}` };
  const db: Kysely<unknown> = createKysely(new Pool({ ...bound, max: poolSize, pipeline: true }));
  const routes = new Hono();
  routes.post('/v1/tools/read_one_row', async (c) =>
    c.json(await readRow(db as Db, input.parse(await c.req.json()).id)),
  );
  routes.post('/v1/tools/read_nothing', async (c) => {
    const { id } = input.parse(await c.req.json());
    return c.json({ id, name: 'nothing' });
  });
  return listen(routes.fetch, { host: '127.0.0.1', port: 0 });
}
