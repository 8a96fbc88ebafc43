/**
 * `npm run bench [names…]`: runs the named benchmarks, or all that do not take long; one table for each. Fails when a bar is missed.
 * With `--smallest` all run in their smallest size, and only an error fails.
 */
import { EventEmitter } from 'node:events';
import { startBenchPostgres } from './postgres.ts';
import { isSmallest } from './size.ts';
import { formatTable, hasMissed, type Bench, type Table } from './table.ts';

/** Each is loaded when it is its turn, so that nothing of the others is in memory while it measures. */
const benches: Record<string, (bench: Bench) => Promise<Table>> = {
  operation: async (bench) => (await import('./operation.ts')).measureOperation(bench),
  'memory-operations': async (bench) => (await import('./memory/operations.ts')).measureOperations(bench),
  'memory-retrieval': async (bench) => (await import('./memory/retrieval.ts')).measureRetrieval(bench),
  'memory-across': async (bench) => (await import('./memory/across-brains.ts')).measureAcrossBrains(bench),
  'memory-latency': async (bench) => (await import('./memory/latency.ts')).measureLatency(bench),
  'memory-scripts': async () => (await import('./memory/scripts.ts')).measureScripts(),
  'memory-import': async (bench) => (await import('./memory/bulk-import.ts')).measureBulkImport(bench),
  'memory-consistency': async (bench) => (await import('./memory/consistency.ts')).measureConsistency(bench),
  documents: async (bench) => (await import('./documents.ts')).measureDocuments(bench),
  ingest: async (bench) => (await import('./ingest.ts')).measureIngest(bench),
  routing: async (bench) => (await import('./routing.ts')).measureRouting(bench),
  identity: async (bench) => (await import('./identity.ts')).measureIdentity(bench),
  plans: async (bench) => (await import('./plans.ts')).measurePlans(bench),
  mcp: async () => (await import('./mcp.ts')).measureMcp(),
  sync: async (bench) => (await import('./integrations/sync.ts')).measureSync(bench),
  'sync-large': async (bench) => (await import('./integrations/sync.ts')).measureLargeSync(bench),
  'sync-files': async (bench) => (await import('./integrations/sync-files.ts')).measureSyncFiles(bench),
  executor: async () => (await import('./integrations/executor.ts')).measureExecutor(),
  egress: async () => (await import('./egress.ts')).measureEgress(),
  sandbox: async (bench) => (await import('./sandbox.ts')).measureSandbox(bench),
  'sandbox-hostile': async (bench) => (await import('./sandbox.ts')).measureHostileRuns(bench),
  automations: async (bench) => (await import('./automations.ts')).measureAutomations(bench),
  webhooks: async (bench) => (await import('./webhooks/webhooks.ts')).measureWebhooks(bench),
  abuse: async (bench) => (await import('./abuse.ts')).measureAbuse(bench),
  'board-refresh': async (bench) => (await import('./boards/refresh.ts')).measureRefresh(bench),
  'board-appends': async (bench) => (await import('./boards/appends.ts')).measureAppends(bench),
  inbox: async (bench) => (await import('./console/inbox.ts')).measureInbox(bench),
};

/** They take long, and are run when they are named, so that a run without names ends within 15 minutes. */
const onlyNamed = new Set([
  'abuse',
  'sync-large',
  'sync-files',
  'inbox',
  'automations',
  'board-appends',
  'identity',
  'memory-operations',
  'memory-latency',
  'sandbox-hostile',
]);

const names = process.argv.slice(2).filter((name) => name !== '--smallest');
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

const begun = performance.now();
const note = (stage: string) => console.log(`[${((performance.now() - begun) / 1000).toFixed(0)} s] ${stage}`);

note('starting PostgreSQL');
const databaseLog = new EventEmitter<{ line: [string] }>();
const postgres = await startBenchPostgres((line) => databaseLog.emit('line', line));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void postgres.stop().finally(() => process.exit(1)));
}
try {
  for (const name of names.length > 0
    ? names
    : Object.keys(benches).filter((name) => isSmallest || !onlyNamed.has(name))) {
    note(name);
    try {
      const table = await benches[name]!({
        createDatabase: () => postgres.createDatabase(),
        onDatabaseLog(listener) {
          databaseLog.on('line', listener);
          return () => databaseLog.off('line', listener);
        },
        note: (stage) => note(`${name}: ${stage}`),
      });
      console.log(`\n${formatTable(table)}\n`);
      if (hasMissed(table) && !isSmallest) process.exitCode = 1;
    } catch (error) {
      console.error(`\n${name} failed:`, error, '\n');
      process.exitCode = 1;
    }
  }
} finally {
  await postgres.stop();
}
