import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { insertAnyRow } from '../../../../tests/support/any-rows.ts';
import { administer } from '../../../../tests/support/postgres.ts';

const folder = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
const name = 'of_bound_variables';
const formatId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [root, personal] = [formatId(91), formatId(92)];

afterEach(async () => administer(inject('postgres'), `drop database if exists ${name} with (force)`));

test('rows that were bound by name are bound to what the name meant for their owner, and keys and setters are read from old rows', async () => {
  await administer(inject('postgres'), `create database ${name}`);
  const client = new Client({ ...inject('postgres'), database: name });
  await client.connect();
  try {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .toSorted();
    const run = async (each: string) => client.query(`begin; ${readFileSync(join(folder, each), 'utf8')}; commit`);
    for (const file of files.filter((each) => each < '0165')) await run(file);
    await client.query('begin');
    const made = async (table: string, more: Record<string, unknown>) => {
      expect(await insertAnyRow(client, table, 7)).toBeNull();
      const given = Object.entries(more);
      const columns = given.map(([column], at) => `"${column}" = $${at + 1}`).join(', ');
      await client.query(
        `update ${table} set ${columns} where ctid = (select max(ctid) from ${table})`,
        given.map(([, value]) => value),
      );
    };
    await made('workspaces', { id: formatId(1) });
    await made('identities', { id: formatId(2) });
    await made('people', { id: formatId(2) });
    await made('keys', { id: formatId(3), label: 'Bot', scopes: ['variables:write'] });
    await made('brains', { id: root });
    await made('brains', { id: personal, personal_to: formatId(2), parent_brain_id: root, name: 'Mine' });
    const sealed = (bytes: number) => `local:v1:key:${Buffer.alloc(28 + bytes).toString('base64')}`;
    const variables: [number, string, string, string, string, string][] = [
      [11, 'org', formatId(1), 'NEAR', sealed(20), 'Ada'],
      [12, 'person', formatId(2), 'NEAR', sealed(20), 'Ada'],
      [13, 'brain', root, 'MIDDLE', sealed(20), 'Ada'],
      [14, 'org', formatId(1), 'MIDDLE', sealed(20), 'Ada'],
      [15, 'org', formatId(1), 'FAR', sealed(6), 'Ada'],
      [16, 'agent', formatId(3), 'OWN', sealed(20), 'Bot'],
    ];
    for (const [n, scope, holder, of, value, label] of variables)
      await client.query(
        `insert into variables (id, workspace_id, scope, scope_id, brain_id, key_id, person_id, name, value, handle, description, placements,
           hosts, set_by, set_by_label, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'About it', '{header}', '{}', $11, $12, now(), now())`,
        [
          formatId(n),
          formatId(1),
          scope,
          holder,
          scope === 'brain' ? holder : null,
          scope === 'agent' ? holder : null,
          scope === 'person' ? holder : null,
          of,
          value,
          `sec_${n}`,
          formatId(2),
          label,
        ],
      );
    await made('automations', {
      id: formatId(21),
      person_id: formatId(2),
      state: 'active',
      name: 'Active',
      active_version_id: formatId(31),
    });
    await made('automations', {
      id: formatId(22),
      person_id: formatId(2),
      state: 'paused',
      name: 'Paused',
      active_version_id: formatId(32),
    });
    await made('webhook_connectors', { id: formatId(41), person_id: formatId(2), brain_id: personal, state: 'active' });
    for (const [n, variable, secret] of [
      [51, 'NEAR', 'sealed'],
      [52, 'FAR', 'sealed'],
      [53, 'NEAR', null],
    ] as const)
      await made('webhook_versions', {
        id: formatId(n),
        number: n,
        brain_id: personal,
        secret_variable: variable,
        secret,
      });
    await client.query('commit');
    for (const file of files.filter((each) => each >= '0165')) await run(file);

    const rows = async (text: string) => (await client.query(text)).rows;
    expect(
      await rows('select automation_id, name, variable_id, handle from automation_variables order by name'),
    ).toEqual([
      { automation_id: formatId(21), name: 'FAR', variable_id: formatId(15), handle: 'sec_15' },
      { automation_id: formatId(21), name: 'MIDDLE', variable_id: formatId(13), handle: 'sec_13' },
      { automation_id: formatId(21), name: 'NEAR', variable_id: formatId(12), handle: 'sec_12' },
    ]);
    expect(await rows('select bound_version_id from automations order by name')).toEqual([
      { bound_version_id: formatId(31) },
      { bound_version_id: null },
    ]);
    expect(await rows('select number, secret_variable_id from webhook_versions order by number')).toEqual([
      { number: 51, secret_variable_id: formatId(12) },
      { number: 52, secret_variable_id: formatId(15) },
      { number: 53, secret_variable_id: null },
    ]);
    const query =
      'select name, scope, set_by_kind, version, is_description_unseen as unseen, placements from variables order by id';
    const person = { set_by_kind: 'person', version: 1, unseen: false };
    const [key, short] = [{ placements: ['header', 'hmac'] }, { placements: ['header'] }];
    expect(await rows(query)).toEqual([
      { name: 'NEAR', scope: 'org', ...person, ...key },
      { name: 'NEAR', scope: 'person', ...person, ...key },
      { name: 'MIDDLE', scope: 'brain', ...person, ...key },
      { name: 'MIDDLE', scope: 'org', ...person, ...key },
      { name: 'FAR', scope: 'org', ...person, ...key }, // a connector's signing secret
      { name: 'OWN', scope: 'agent', ...person, set_by_kind: 'agent', unseen: true, ...short },
    ]);
  } finally {
    await client.end();
  }
});
