import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { insertAnyRow } from '../../../../tests/support/any-rows.ts';
import { administer } from '../../../../tests/support/postgres.ts';

const folder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
const name = 'of_contradictions';
const formatId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

afterEach(async () => administer(inject('postgres'), `drop database if exists ${name} with (force)`));

test('contradictions that were detected before get their kind, and those between items of one series end', async () => {
  await administer(inject('postgres'), `create database ${name}`);
  const client = new Client({ ...inject('postgres'), database: name });
  await client.connect();
  try {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .toSorted();
    const run = async (each: string) => client.query(`begin; ${readFileSync(join(folder, each), 'utf8')}; commit`);
    for (const file of files.filter((each) => each < '0212')) await run(file);
    const insert = async (table: string, columns: Record<string, unknown>) => {
      expect(await insertAnyRow(client, table, 7)).toBeNull();
      const set = Object.keys(columns).map((column, at) => `"${column}" = $${at + 1}`);
      await client.query(
        `update ${table} set ${set.join(', ')} where ctid = (select max(ctid) from ${table})`,
        Object.values(columns),
      );
    };
    await client.query('begin');
    await insert('workspaces', { id: formatId(99) });
    await insert('identities', { id: formatId(9) });
    await insert('people', { id: formatId(9) });
    await insert('brains', { id: formatId(98) });
    const memories: [number, string | null, string | null, string | null][] = [
      [1, null, 'Ada', null],
      [2, null, 'Ada', null],
      [3, 'gauge', null, 'other'],
      [4, 'gauge', null, null],
      [5, 'gauge', null, 'user'],
      [6, 'log', null, null],
      [7, 'gauge', 'Bob', null],
    ];
    for (const [n, source, author, role] of memories)
      await insert('memories', { id: formatId(n), source, author, ...(role && { role }) });
    const links: [number, number, string, string | null][] = [
      [1, 2, 'detected', 'It says that «Postgres» was replaced.'],
      [2, 1, 'detected', 'It denies what was said.'],
      [1, 3, 'detected', 'It affirms what was denied.'],
      [1, 4, 'detected', 'It says «open» where «closed» was said.'],
      [1, 5, 'detected', 'It says 14 where 5 was said.'],
      [1, 6, 'detected', 'It says Friday where Monday was said.'],
      [2, 6, 'stated', 'Ada says so.'],
      [3, 4, 'detected', 'It says 31 where 30 was said.'], // of one series
      [4, 3, 'stated', null],
      [3, 5, 'detected', 'It says 33 where 30 was said.'], // a person's memory
      [3, 6, 'detected', 'It says 34 where 30 was said.'], // another source
      [3, 7, 'detected', 'It says 35 where 30 was said.'], // another author
    ];
    for (const [source, target, origin, reason] of links)
      await insert('memory_links', {
        source_memory_id: formatId(source),
        target_memory_id: formatId(target),
        relationship_type: 'conflicts_with',
        origin,
        reason,
      });
    await client.query('commit');
    for (const file of files.filter((each) => each >= '0212')) await run(file);
    const { rows } = await client.query(
      `select right(source_memory_id::text, 1) || right(target_memory_id::text, 1) as pair, origin, kind from memory_links`,
    );
    const kinds = Object.fromEntries(rows.map(({ pair, kind }) => [pair, kind]));
    expect(kinds).toEqual({
      '12': 'replacement',
      '21': 'negation',
      '13': 'negation',
      '14': 'opposite',
      '15': 'number',
      '16': 'value',
      '26': null,
      '43': null,
      '35': 'number',
      '36': 'number',
      '37': 'number',
    });
  } finally {
    await client.end();
  }
});
