import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '#kernel/database';
import { createTransactions, createOwnerPool } from '#platform/database';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, type Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { insertAnyRow } from '../../../tests/support/any-rows.ts';
import { administer } from '../../../tests/support/postgres.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import type { NewPage } from '#kernel/page';
import { upsertPages } from './index.ts';

let server: TestServer;
let pool: Pool;
beforeAll(async () => {
  server = await startTestServer();
  pool = createOwnerPool({ connectionString: server.connectionString }, 2);
  const { rows } = await pool.query('select id, workspace_id from brains');
  const [{ id: brainId, workspace_id: workspaceId }] = rows;
  let ids = 0;
  const newId = () => `00000000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const events = [
    buildEvent('Regatta', { start: '2026-12-16', end: '2026-12-17', all_day: true }),
    buildEvent('Fair', { start: '2026-12-20', end: '2026-12-24', all_day: true }),
    buildEvent('Endless', { start: '2026-12-28', end: null, all_day: true }),
    buildEvent('Survey', { start: '2026-12-10T18:00:00-08:00', end: '2026-12-11T10:00:00-08:00', all_day: false }),
    buildEvent('Bell', { start: '2026-12-12T09:00:00Z', end: '2026-12-12T09:00:00Z', all_day: false }),
  ];
  const transactions = createTransactions(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  await transactions.run(workspaceId, 'write', (db: Db) =>
    upsertPages(db, events, { workspaceId, brainId, at: new Date(), newId }),
  );
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

function buildEvent(title: string, times: { start: string; end: string | null; all_day: boolean }): NewPage {
  const about = { source: 'calendar:ada@example.com', type: 'calendar_event', body: `Harbour: ${title}.` };
  return { ...about, sourceRef: title, title, frontmatter: times, occurredAt: new Date(times.start) };
}

const listEventTitles = async (start: string, end: string) =>
  (await server.ok('list_calendar_events', { start, end })).events.map(({ title }) => title);
const listPageTitles = async (since: string, until: string) =>
  (await server.ok('list_pages', { since, until, sort: 'soonest' })).pages.map(({ title }) => title);
const findPageTitles = async (since: string, until: string) =>
  (await server.ok('search', { q: 'harbour', since, until })).pages.map(({ title }) => title);

const zones = ['-11:00', '-08:00', '-03:30', '+00:00', '+05:45', '+13:00'];

test.each(zones)('an all-day event is on its day, and on no other, for queries at %s', async (offset) => {
  const dayFrom = (day: string) => `${day}T00:00:00${offset}`;
  for (const list of [listEventTitles, listPageTitles, findPageTitles]) {
    expect(await list(dayFrom('2026-12-16'), dayFrom('2026-12-17'))).toEqual(['Regatta']);
    expect(await list(dayFrom('2026-12-15'), dayFrom('2026-12-16'))).toEqual([]);
    expect(await list(dayFrom('2026-12-17'), dayFrom('2026-12-18'))).toEqual([]);
  }
  const starts = async (day: string) => {
    const { pages } = await server.ok('query', { where: { start: { gt: dayFrom(day), lt: dayFrom('2026-12-17') } } });
    return pages.map(({ title }) => title);
  };
  expect(await starts('2026-12-15')).toEqual(['Regatta']);
  expect(await starts('2026-12-16')).toEqual([]);
});

test('an event that began earlier is listed, found and counted until it ends', async () => {
  for (const list of [listEventTitles, listPageTitles, findPageTitles]) {
    expect(await list('2026-12-11T08:00:00-08:00', '2026-12-11T23:00:00-08:00')).toEqual(['Survey']);
    expect(await list('2026-12-11T10:00:00-08:00', '2026-12-11T23:00:00-08:00')).toEqual([]);
    expect(await list('2026-12-22', '2026-12-23')).toEqual(['Fair']);
    expect(await list('2026-12-24', '2026-12-25')).toEqual([]);
    expect(await list('2026-12-12T09:00:00Z', '2026-12-12T09:30:00Z')).toEqual(['Bell']);
    expect(await list('2026-12-12T08:00:00Z', '2026-12-12T09:00:00Z')).toEqual([]);
  }
});

test('an all-day event without an end lasts one day, and answers have its dates', async () => {
  const { events } = await server.ok('list_calendar_events', { start: '2026-12-28', end: '2026-12-31' });
  expect(events).toMatchObject([{ title: 'Endless', start: '2026-12-28', end: '2026-12-29', all_day: true }]);
  expect(await listEventTitles('2026-12-29', '2026-12-30')).toEqual([]);
});

test('an all-day event that a person writes is on its day, too', async () => {
  const frontmatter = { start: '2027-02-03', end: '2027-02-04', all_day: true };
  await server.ok('create_page', { title: 'Written', body: 'Here.', type: 'calendar_event', frontmatter });
  expect(await listEventTitles('2027-02-03T00:00:00-08:00', '2027-02-04T00:00:00-08:00')).toEqual(['Written']);
});

const folder = join(import.meta.dirname, '../../../migrations');
const name = 'of_whole_days';
afterEach(() => administer(inject('postgres'), `drop database if exists ${name} with (force)`));

test('events that were stored before get their days and ends from their frontmatter', async () => {
  await administer(inject('postgres'), `create database ${name}`);
  const client = new Client({ ...inject('postgres'), database: name });
  await client.connect();
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
    const run = async (each: string) => client.query(`begin; ${readFileSync(join(folder, each), 'utf8')}; commit`);
    for (const file of files.toSorted().filter((each) => each < '0223')) await run(file);
    const stored = [
      { start: '2026-12-16', end: '2026-12-18', all_day: true },
      { start: '2026-12-16T00:00:00.0000000Z', end: '2026-12-17T00:00:00.0000000Z', all_day: true },
      { start: '2026-12-16T09:00:00+01:00', end: '2026-12-16T10:00:00+01:00', all_day: false },
      { start: 'soon', end: 'later', all_day: true },
    ];
    await client.query('begin');
    for (const table of ['workspaces', 'identities', 'people', 'brains'])
      expect(await insertAnyRow(client, table, 1)).toBeNull();
    for (const [at, frontmatter] of stored.entries()) {
      expect(await insertAnyRow(client, 'pages', 10 + at)).toBeNull();
      await client.query(
        `update pages set type = 'calendar_event', frontmatter = $1 where ctid = (select max(ctid) from pages)`,
        [frontmatter],
      );
    }
    await client.query('commit');
    await run('0223-whole-days.sql');
    const { rows } = await client.query(
      `select lower(days)::text as first, upper(days)::text as after, ends_at from pages order by id`,
    );
    expect(rows).toEqual([
      { first: '2026-12-16', after: '2026-12-18', ends_at: new Date('2026-12-18T00:00:00Z') },
      { first: '2026-12-16', after: '2026-12-17', ends_at: new Date('2026-12-17T00:00:00Z') },
      { first: null, after: null, ends_at: new Date('2026-12-16T09:00:00Z') },
      { first: null, after: null, ends_at: null },
    ]);
  } finally {
    await client.end();
  }
});
