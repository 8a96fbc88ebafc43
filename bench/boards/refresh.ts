// A refresh of 10,000 rows beside what one would write by hand: fetch, parse and COPY. A refresh that finds nothing new writes no row.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '#platform/clock';
import { startBenchServer, type BenchServer } from '../server-process.ts';
import { runSql } from '../postgres.ts';
import { chooseSize } from '../size.ts';
import { formatMilliseconds, median, type Bench, type Table } from '../table.ts';

const rowCount = chooseSize(10_000, 20);
const rounds = chooseSize(7, 1);
const bar = 2.5;

/** The bars: at most 2.5 times fetch, parse and COPY in the same run; a refresh of equal rows writes none. */
export async function measureRefresh(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  const source = await startSource();
  const settings = { THALAMUS_RATE_LIMIT: '10000000', THALAMUS_EGRESS_ALLOW: source.url };
  const server = await startBenchServer(databaseUrl, { settings });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await runSql(
    databaseUrl,
    `create table bare_rows (like board_rows including all, foreign key (workspace_id) references workspaces,
       foreign key (board_id) references boards on delete cascade)`,
  );
  try {
    const times = { first: [] as number[], changed: [] as number[], equal: [] as number[], bare: [] as number[] };
    let written = 0;
    for (let round = 0; round <= rounds; round += 1) {
      bench.note(`round ${round} of ${rounds}`);
      const recipe = await createRecipe(server, `${source.url}/items`, `Board ${round}`);
      const bare = await measure(() => copyList(client, `${source.url}/items`, recipe));
      const first = await measure(() => refresh(server, recipe.id));
      const before = await readWritten(client, recipe.boardId);
      const equal = await measure(() => refresh(server, recipe.id));
      written += (await readWritten(client, recipe.boardId)) === before ? 0 : 1;
      source.change();
      const changed = await measure(() => refresh(server, recipe.id));
      await runSql(databaseUrl, 'truncate bare_rows');
      if (round === 0) continue; // it warms all up
      for (const [name, time] of Object.entries({ first, changed, equal, bare }))
        times[name as keyof typeof times].push(time);
    }
    const ratio = median(times.first.map((time, at) => time / (times.bare[at] ?? 1)));
    return {
      title: `A refresh of ${rowCount} rows through a link`,
      rows: [
        { name: 'fetch, parse and COPY', value: formatMilliseconds(median(times.bare)) },
        { name: 'all rows new', value: formatMilliseconds(median(times.first)) },
        { name: 'all rows changed', value: formatMilliseconds(median(times.changed)) },
        { name: 'all rows equal', value: formatMilliseconds(median(times.equal)) },
        {
          name: `bar: at most ${bar} of fetch, parse and COPY`,
          value: `${ratio.toFixed(2)}, ${ratio <= bar ? 'met' : 'missed'}`,
        },
        { name: 'bar: equal rows are not written', value: written === 0 ? 'met' : 'missed' },
      ],
    };
  } finally {
    await client.end();
    await server.stop();
    await source.close();
  }
}

type Recipe = { id: string; boardId: string };

async function createRecipe(server: BenchServer, url: string, name: string): Promise<Recipe> {
  const { board_id } = await server.call('create_board', { name });
  const target = { kind: 'http_json', ref: { url }, display_name: 'Items' };
  const { id: link_id } = await server.call('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'items', adapter_op: 'http_json.list', dedupe_key_field: 'id' };
  const { id } = await server.call('create_dataset_recipe', { link_id, ...filled });
  return { id: String(id), boardId: String(board_id) };
}

async function refresh(server: BenchServer, recipe_id: string): Promise<void> {
  const { rows } = await server.call('refresh_dataset_recipe', { recipe_id });
  if (rows !== rowCount) throw new Error(`a refresh stored ${String(rows)} rows`);
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The same list, by hand: the rows go into a table with the same indexes and references. */
async function copyList(client: Client, url: string, { boardId }: Recipe): Promise<void> {
  const { rows } = await client.query('select workspace_id from boards where id = $1', [boardId]);
  const workspaceId = String((rows[0] as { workspace_id: string }).workspace_id);
  const items = (await (await fetch(url)).json()) as { id: number }[]; // the list below
  const columns = 'id, workspace_id, board_id, dataset, fields, created_by, created_at, row_key';
  const at = new Date().toISOString();
  const escape = (text: string) => text.replaceAll('\\', '\\\\');
  const lines = items.map((item) =>
    [newId(), workspaceId, boardId, 'items', escape(JSON.stringify(item)), 'bench', at, item.id].join('\t'),
  );
  await pipeline(
    Readable.from([`${lines.join('\n')}\n`]),
    client.query(copyFrom(`copy bare_rows (${columns}) from stdin`)),
  );
}

/** What changes with every row that is written. */
async function readWritten(client: Client, boardId: string): Promise<string> {
  const { rows } = await client.query(
    `select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) || ' ' || coalesce(sum(version), 0) as written from board_rows where board_id = $1`,
    [boardId],
  );
  return (rows[0] as { written: string }).written;
}

/** A service with a list. The bench can change all of its rows. */
async function startSource(): Promise<{ url: string; change(): void; close(): Promise<void> }> {
  let body = buildList(0);
  let state = 0;
  const service = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    change() {
      state += 1;
      body = buildList(state);
    },
    async close() {
      service.closeAllConnections();
      service.close();
      await once(service, 'close');
    },
  };
}

function buildList(state: number): string {
  const items = Array.from({ length: rowCount }, (_each, id) => ({
    id,
    title: `Parcel ${id} is on its way`,
    author: `person-${id % 50}`,
    labels: ['urgent', 'north'],
    weight: id * 1.5,
    state,
    url: `https://parcels.example/items/${id}`,
    updated_at: '2026-01-31T10:00:00Z',
  }));
  return JSON.stringify(items);
}
