// How PostgreSQL answers the operations' own queries, under row level security, when tables are large.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from './postgres.ts';
import { startBenchServer, type BenchServer } from './server-process.ts';
import { formatMilliseconds, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

/** A statement as `auto_explain` logs it: of its plan's nodes what is looked at here. */
type Plan = { 'Query Text': string; durationMs: number; Plan: Node };
type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
};

const calls: { operation: string; input: Record<string, unknown> }[] = [
  { operation: 'add_memory', input: { content: 'The launch needs a budget of 977 by the end of the week' } },
  { operation: 'add_memories_bulk', input: { memories: [{ content: 'One fact' }, { content: 'Another fact' }] } },
  { operation: 'search_memory', input: { q: 'budget launch 311' } },
  { operation: 'list_memories', input: {} },
  { operation: 'list_memories', input: { type: 'decision', offset: 1_000 } },
  { operation: 'load_brain', input: { context: 'working on the launch' } },
  { operation: 'search_memory', input: { q: 'launch311' } },
  { operation: 'list_duplicates', input: {} },
  { operation: 'list_constellations', input: {} },
  { operation: 'get_memory_graph', input: {} },
  { operation: 'brain_overview', input: {} },
  { operation: 'brain_overview', input: { days: 30 } },
  { operation: 'list_pending_actions', input: {} },
  { operation: 'list_brains', input: {} },
  { operation: 'search', input: { q: 'budget 311' } },
  { operation: 'query', input: { type: 'email' } },
  { operation: 'query', input: { where: { subject: 'Budget 311' } } },
];

/** A sequential scan of a table with fewer rows is what PostgreSQL should do. */
const smallTable = 500;

/**
 * Calls operations on 50,000 rows of each kind in each of two workspaces, and reads from PostgreSQL's own log how every
 * statement was executed: before statistics of the new rows exist, as after an import, and after a vacuum gathered them. The bar: no
 * sequential scan of a table that grows.
 */
export async function measurePlans(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  bench.note('storing 100,000 rows of each kind');
  const first = await startBenchServer(databaseUrl);
  await first.stop();
  // Statistics are gathered when this says so, and not in between.
  await runSql(
    databaseUrl,
    (await readFile(join(import.meta.dirname, 'plans.sql'), 'utf8')).replace(
      '100000',
      String(chooseSize(100_000, 500)),
    ),
  );
  await explainAll(databaseUrl);
  const server = await startBenchServer(databaseUrl);
  try {
    await server.call('search_memory', { q: 'warm' });
    const rows: Table['rows'] = [];
    for (const state of ['without statistics', 'with statistics'] as const) {
      bench.note(state);
      if (state === 'with statistics') await runSql(databaseUrl, 'vacuum analyze');
      for (const call of calls) rows.push(await inspectPlans(bench, server, call, state));
    }
    const isWithinBar = !rows.some(({ value }) => value.includes(scan));
    rows.push({ name: `bar: no ${scan} of a table that grows`, value: isWithinBar ? 'met' : 'missed' });
    return { title: 'Statements of an operation at 50,000 rows of each kind, of 100,000 in the table', rows };
  } finally {
    await server.stop();
  }
}

const scan = 'sequential scan';

/** Has every later session log how it executed each statement. */
async function explainAll(databaseUrl: string): Promise<void> {
  const database = new URL(databaseUrl.replace('@/', '@socket/')).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  };
  for (const [name, value] of Object.entries(settings))
    await runSql(databaseUrl, `alter database ${database} set ${name} = '${value}'`);
}

async function inspectPlans(
  bench: Bench,
  server: BenchServer,
  { operation, input }: (typeof calls)[number],
  state: string,
): Promise<Table['rows'][number]> {
  await sleep(100);
  const log: string[] = [];
  const stop = bench.onDatabaseLog((line) => log.push(line));
  await server.call(operation, input);
  await sleep(100);
  stop();
  const plans = parsePlans(log);
  const nodes = plans.flatMap(({ Plan }) => listNodes(Plan));
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && countRowsRead(node) >= smallTable);
  const worst = nodes.toSorted((a, b) => countRowsRead(b) - countRowsRead(a))[0];
  const duration = plans.reduce((sum, plan) => sum + plan.durationMs, 0);
  const value = [
    `${plans.length} statements, ${formatMilliseconds(duration)}`,
    worst && `most rows read: ${countRowsRead(worst)} by ${worst['Node Type']} ${worst['Relation Name'] ?? ''}`.trim(),
    ...scans.map((node) => `${scan} of ${node['Relation Name']}`),
  ];
  return {
    name: `${operation} ${JSON.stringify(input).slice(0, 40)}, ${state}`,
    value: value.filter(Boolean).join('; '),
  };
}

/** The plans in lines of PostgreSQL's log: a line that begins one, then lines that begin with a tab. */
function parsePlans(log: readonly string[]): Plan[] {
  const plans: { durationMs: number; json: string }[] = [];
  for (const line of log) {
    const duration = /^LOG:\s+duration: ([\d.]+) ms\s+plan:/.exec(line)?.[1];
    if (duration) plans.push({ durationMs: Number(duration), json: '' });
    else if (line.startsWith('\t') && plans.length > 0) plans.at(-1)!.json += line;
  }
  // The text is PostgreSQL's own, in the format that was asked for.
  return plans.map(({ durationMs, json }) => ({ ...(JSON.parse(json) as Omit<Plan, 'durationMs'>), durationMs }));
}

function listNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

function countRowsRead(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops']);
}
