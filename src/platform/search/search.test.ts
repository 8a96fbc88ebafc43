import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createSearch } from './search.ts';
import type { Search } from './search.ts';
import type { SearchQuery } from './search-query.ts';

/** The contract of search with the database: these columns, a transaction mark, row level security. */
const schema = `
  drop view if exists searchable cascade;
  create table searchable (
    workspace_id uuid not null, brain_id uuid not null, id uuid primary key default gen_random_uuid(),
    kind text not null default 'memory', type text not null default 'fact',
    salience text default 'normal', title text, body text not null,
    labels text not null default '', author text, role text, thread_id text,
    occurred_at double precision not null default 0, source text,
    ends_at double precision, is_whole_day boolean not null default false,
    changed_xact xid8 not null default pg_current_xact_id(), is_live boolean not null default true);
  create index on searchable (workspace_id, changed_xact);
  create index on searchable (brain_id);
  create or replace function mark_searchable() returns trigger language plpgsql as
    $$ begin new.changed_xact := pg_current_xact_id(); return new; end $$;
  create trigger mark_searchable before update on searchable for each row execute function mark_searchable();
  alter table searchable enable row level security;
  alter table searchable force row level security;
  create policy one_workspace on searchable
    using (workspace_id = nullif(current_setting('thalamus.workspace_id', true), '')::uuid);
  grant select on searchable to thalamus_app;`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
const searches: Search[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ ...database.connection, max: 12 });
  // Dropping the database ends connections that are still closing.
  pool.on('error', () => {});
  await pool.query(schema);
});
afterEach(async () => {
  await Promise.all(searches.splice(0).map((search) => search.close()));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

function openSearch(memoryMb?: number): Search {
  const connection = { ...database.connection, options: '-c role=thalamus_app' };
  const search = createSearch({ connection, ...(memoryMb !== undefined && { memoryMb }) });
  searches.push(search);
  return search;
}

type Brain = { workspaceId: string; brainId: string };
async function insertBrain(workspaceId: string = randomUUID(), language = 'en'): Promise<Brain> {
  const brainId = randomUUID();
  await pool.query(`insert into workspaces (id, name, created_at) values ($1, 'Test', now()) on conflict do nothing`, [
    workspaceId,
  ]);
  await pool.query(
    `insert into brains (id, workspace_id, name, language, created_at) values ($1, $2, 'Brain', $3, now())`,
    [brainId, workspaceId, language],
  );
  return { workspaceId, brainId };
}

async function write({ workspaceId, brainId }: Brain, body: string, client: Pool | PoolClient = pool): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'insert into searchable (workspace_id, brain_id, body) values ($1, $2, $3) returning id',
    [workspaceId, brainId, body],
  );
  return rows[0]!.id;
}

function find(search: Search, brain: Brain, text: string, more: Partial<SearchQuery> = {}) {
  return search.find({
    workspaceId: brain.workspaceId,
    brainIds: [brain.brainId],
    text,
    limit: 10,
    offset: 0,
    ...more,
  });
}
const findIds = async (...asked: Parameters<typeof find>) => (await find(...asked)).hits.map((hit) => hit.id);

test('a committed write is found at once, by every process', async () => {
  const [one, other] = [openSearch(), openSearch()];
  const brain = await insertBrain();
  expect((await find(one, brain, 'zeppelin')).total).toBe(0);
  for (let round = 0; round < 20; round += 1) {
    const id = await write(brain, `zeppelin number${round}`);
    const found = await Promise.all([one, other].map((search) => findIds(search, brain, `number${round}`)));
    expect(found).toEqual([[id], [id]]);
  }
  expect((await find(other, brain, 'zeppelin')).total).toBe(20);
});

test('a change, an archival and a move to another brain are visible at once', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  const other = await insertBrain(brain.workspaceId);
  const id = await write(brain, 'zeppelin');
  await write(other, 'balloon');
  const inBoth = { brainIds: [brain.brainId, other.brainId] };
  expect(await findIds(search, brain, 'zeppelin', inBoth)).toEqual([id]);
  await pool.query(`update searchable set body = 'submarine' where id = $1`, [id]);
  expect(await findIds(search, brain, 'zeppelin')).toEqual([]);
  expect(await findIds(search, brain, 'submarine')).toEqual([id]);
  await pool.query('update searchable set brain_id = $2 where id = $1', [id, other.brainId]);
  expect(await findIds(search, brain, 'submarine')).toEqual([]);
  expect(await findIds(search, other, 'submarine')).toEqual([id]);
  await pool.query('update searchable set is_live = false where id = $1', [id]);
  expect(await findIds(search, brain, 'submarine', inBoth)).toEqual([]);
});

test('no memory of another workspace is found, even by its brain id', async () => {
  const search = openSearch();
  const [mine, theirs] = [await insertBrain(), await insertBrain()];
  await write(theirs, 'zeppelin');
  expect((await find(search, { ...theirs, workspaceId: mine.workspaceId }, 'zeppelin')).total).toBe(0);
  expect((await find(search, theirs, 'zeppelin')).total).toBe(1);
});

test('no write is lost among many writers with long transactions', async () => {
  const searches = [openSearch(), openSearch()];
  const brain = await insertBrain();
  const committed = new Set<string>();
  const writing = new AbortController();

  async function writer(number: number): Promise<void> {
    const client = await pool.connect();
    for (let round = 0; round < 25; round += 1) {
      const isLong = round % 5 === number % 5;
      await client.query('begin');
      const written: string[] = [];
      for (let row = 0; row < 3; row += 1) {
        written.push(await write(brain, `writer${number} round${round} row${row} zeppelin`, client));
        await sleep(isLong ? 15 : 0);
      }
      if (round % 7 === 6) await client.query('rollback');
      else {
        await client.query('commit');
        for (const id of written) committed.add(id);
      }
    }
    client.release();
  }

  async function reader(search: Search): Promise<void> {
    while (!writing.signal.aborted) {
      const before = [...committed];
      const { hits } = await find(search, brain, 'zeppelin', { limit: 10_000 });
      const found = new Set(hits.map((hit) => hit.id));
      expect(before.filter((id) => !found.has(id))).toEqual([]);
    }
  }

  const readers = [...searches, ...searches].map(reader);
  await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
  writing.abort();
  await Promise.all(readers);
  for (const search of searches) {
    const found = await findIds(search, brain, 'zeppelin', { limit: 10_000 });
    expect(found.toSorted()).toEqual([...committed].toSorted());
  }
});

test('a batch load loses nothing, and a turn written later adds its words to its neighbours', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  await pool.query(
    `insert into searchable (workspace_id, brain_id, body, thread_id, occurred_at)
     select $1, $2, 'turn number' || n, 'thread', n from generate_series(1, 1200) n`,
    [brain.workspaceId, brain.brainId],
  );
  expect((await find(search, brain, 'turn')).total).toBe(1200);
  await pool.query(
    `insert into searchable (workspace_id, brain_id, body, thread_id, occurred_at) values ($1, $2, 'zeppelin', 'thread', 600.5)`,
    [brain.workspaceId, brain.brainId],
  );
  const { hits, total } = await find(search, brain, 'zeppelin');
  expect(total).toBe(5);
  expect(hits.slice(1).every((hit) => hit.why.fields.includes('thread'))).toBe(true);
});

test('among equal hits the newer come first, and pages neither overlap nor leave gaps', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  await pool.query(
    `insert into searchable (workspace_id, brain_id, body, occurred_at)
     select $1, $2, 'ticket closed', n from generate_series(1, 40) n`,
    [brain.workspaceId, brain.brainId],
  );
  const whole = await findIds(search, brain, 'ticket', { limit: 40 });
  const pages = await Promise.all(
    [0, 10, 20, 30].map((offset) => findIds(search, brain, 'ticket', { limit: 10, offset })),
  );
  expect(pages.flat()).toEqual(whole);
  const { rows } = await pool.query<{ id: string }>(
    'select id from searchable where brain_id = $1 order by occurred_at desc',
    [brain.brainId],
  );
  expect(whole).toEqual(rows.map(({ id }) => id));
});

test('a query with too many operators is refused', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  const many = Array.from({ length: 9 }, (_, at) => `"of ${at}"`).join(' ');
  await expect(find(search, brain, many)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(find(search, brain, '"of" '.repeat(400))).resolves.toMatchObject({ total: 0 });
});

test('several brains are merged by score, and pages of the answer join without gap', async () => {
  const search = openSearch();
  const first = await insertBrain();
  const brains = [first, await insertBrain(first.workspaceId), await insertBrain(first.workspaceId)];
  for (const brain of brains) {
    for (let at = 0; at < 4; at += 1) await write(brain, `zeppelin ${'and other words '.repeat(at)}`);
    await write(brain, 'nothing of the kind');
  }
  const all = { brainIds: brains.map((brain) => brain.brainId) };
  const { hits, total } = await find(search, first, 'zeppelin', { ...all, limit: 12 });
  expect(total).toBe(12);
  expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((a, b) => b - a));
  const pages = await Promise.all(
    [0, 5, 10].map((offset) => findIds(search, first, 'zeppelin', { ...all, limit: 5, offset })),
  );
  expect(pages.flat()).toEqual(hits.map((hit) => hit.id));
});

test('brains that do not fit into memory together are still searched together', async () => {
  const search = openSearch(0.01);
  const first = await insertBrain();
  const brains = [first, await insertBrain(first.workspaceId), await insertBrain(first.workspaceId)];
  for (const brain of brains) await write(brain, `zeppelin ${'filling words here '.repeat(200)}`);
  const all = { brainIds: brains.map((brain) => brain.brainId) };
  const found = await Promise.all([1, 2, 3, 4].map(() => find(search, first, 'zeppelin', all)));
  expect(found.map((answer) => answer.total)).toEqual([3, 3, 3, 3]);
});

test('a brain is searched by the stems of its language, also after the language changes', async () => {
  const search = openSearch();
  const german = await insertBrain(undefined, 'de');
  const brain = await insertBrain(german.workspaceId);
  for (const each of [german, brain]) await write(each, 'Wir haben die Häuser gesehen');
  expect((await find(search, german, 'Haus')).total).toBe(1);
  expect((await find(search, brain, 'Haus')).total).toBe(0);
  await pool.query(`update brains set language = 'de' where id = $1`, [brain.brainId]);
  expect((await find(search, brain, 'Haus')).total).toBe(1);
});

test('no memory of a deleted brain is found, whatever the order of deletion', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  const other = await insertBrain(brain.workspaceId);
  for (const each of [brain, other]) await write(each, 'zeppelin');
  const both = { brainIds: [brain.brainId, other.brainId] };
  expect((await find(search, brain, 'zeppelin', both)).total).toBe(2);
  await pool.query('delete from searchable where brain_id = $1', [brain.brainId]);
  await pool.query('delete from brains where id = $1', [brain.brainId]);
  expect((await find(search, brain, 'zeppelin', both)).total).toBe(1);
});

test('a text finds similar texts', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  const text = 'The red zeppelin is moored at the northern hangar';
  const id = await write(brain, text);
  await write(brain, 'Lunch is at noon');
  const { hits, selfScore } = await search.similar({ ...brain, text, limit: 5 });
  expect(hits.map((hit) => hit.id)).toEqual([id]);
  expect(hits[0]!.score / selfScore).toBeGreaterThan(0.8);
});

test('without a database the search fails with unavailable, and works again later', async () => {
  const search = createSearch({ connection: { host: '/nowhere', port: 1 } });
  searches.push(search);
  const brain = await insertBrain();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(find(search, brain, 'zeppelin')).rejects.toMatchObject({ code: 'unavailable' });
  }
});

test('another thread does most of the work of indexing thousands of documents', async () => {
  const search = openSearch();
  const brain = await insertBrain();
  await pool.query(
    `insert into searchable (workspace_id, brain_id, body)
     select $1, $2, 'we talked about topic' || n % 700 || ' with person' || n % 90 || ' in room' || n % 40 || ' for long'
     from generate_series(1, 20000) n`,
    [brain.workspaceId, brain.brainId],
  );
  // Processor time, because the clock would count other work on the machine, too.
  const ofThisThread = process.threadCpuUsage();
  const ofAll = process.cpuUsage();
  const { total } = await find(search, brain, 'topic7');
  const mine = process.threadCpuUsage(ofThisThread);
  const all = process.cpuUsage(ofAll);
  expect(total).toBeGreaterThan(20);
  expect((mine.user + mine.system) / (all.user + all.system)).toBeLessThan(0.5);
});
