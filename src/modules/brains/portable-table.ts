// Tables that move with a brain, declared as data: one declaration exports and imports a table.
import type { Db } from '#kernel/database';
import type { Portable } from '#kernel/portable';
import { sql, type RawBuilder } from 'kysely';
import { selectArchiveLines } from './store/archive-lines.ts';

type KeyType = 'uuid' | 'integer' | 'text';

/** A table whose rows belong to brains, and the columns to move. All names are columns. */
export type PortableTable = Pick<Portable, 'kind' | 'scope' | 'writeScope' | 'row'> & {
  table: string;
  /** Its primary key, which is the order of the lines. */
  key: Readonly<Record<string, KeyType>>;
  /** Ids of the row itself and of the row it belongs to. */
  ids: readonly string[];
  /**
   * Ids of items that may be in another brain. If the item is not in the archive, the id is null, or the line is left
   * out when `isRequired`.
   */
  leadsTo?: Readonly<Record<string, PortableTarget & { isRequired?: true }>>;
  /** The row it belongs to, for a table without `brain_id`: its column, and the table with the brain. */
  partOf?: { column: string; table: string };
  /** Columns for the person who imports, and for their label. */
  person?: readonly string[];
  /** Columns that do not move, with the SQL value for the import. */
  fixed?: Readonly<Record<string, string>>;
  /** SQL on `item`: which rows move; default: all. */
  only?: string;
};

/** A table with `brain_id` that others refer to. */
export type PortableTarget = { table: string };

const keyForms: Record<KeyType, string> = {
  uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  integer: String.raw`\d{1,9}`,
  text: '.{1,600}',
};

/** Declares a table that moves with its brain. */
export function definePortableTable(spec: PortableTable): Portable {
  const { kind, scope, writeScope, row } = spec;
  const cursor = new RegExp(
    `^${Object.values(spec.key)
      .map((type) => `(${keyForms[type]})`)
      .join(' ')}$`,
    's',
  );
  return {
    kind,
    scope,
    writeScope,
    row,
    cursor,
    exportBatch: (db, from, page) => exportRows(db, spec, { ...from, ...page, cursor }),
    store: (db, to) => storeRows(db, spec, to),
    async isIn(db, brainId) {
      const { rows } = await sql`
        select from ${sql.table(spec.table)} as item where ${buildBrainCondition(spec, brainId)} limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}

type Page = { brainId: string; archived: readonly string[]; after: string | null; limit: number; cursor: RegExp };

async function exportRows(db: Db, spec: PortableTable, { brainId, archived, after, limit, cursor }: Page) {
  await sql`select set_config('timezone', 'UTC', true)`.execute(db);
  const names = Object.keys(spec.key);
  const key = sql.join(names.map((name) => buildKeyExpression(spec, name)));
  const given = after === null ? null : (cursor.exec(after)?.slice(1) ?? []);
  const behind = given
    ? sql`(${key}) > (${sql.join(Object.values(spec.key).map((type, at) => sql`${given[at]}::${sql.raw(type)}`))})`
    : sql`true`;
  const required = Object.entries(spec.leadsTo ?? {}).filter(([, { isRequired }]) => isRequired);
  const reached = required.map(([name, { table }]) => sql`${buildShiftedId(name, table, archived)} is not null`);
  const fields = Object.keys(spec.row.shape).map(
    (name) => sql`${sql.lit(name)}, ${buildValueExpression(spec, name, archived)}`,
  );
  const { rows } = await sql<{ line: Record<string, unknown>; next: string }>`
    select json_build_object(${sql.join(fields)}) as line, concat_ws(' ', ${sql.join(names.map(selectItemColumn))}) as next
      from ${sql.table(spec.table)} as item
      cross join (select archive_shift from brains where id = ${brainId}) as home
     where ${sql.join([buildBrainCondition(spec, brainId), behind, sql.raw(spec.only ?? 'true'), ...reached], sql` and `)}
     order by ${key} limit ${limit}
  `.execute(db);
  return { rows: rows.map(({ line }) => line), next: rows.at(-1)?.next ?? null };
}

const selectItemColumn = (name: string): RawBuilder<unknown> => sql.ref(`item.${name}`);

/** Texts in byte order, which is the same on every server. */
function buildKeyExpression(spec: PortableTable, name: string): RawBuilder<unknown> {
  return spec.key[name] === 'text' ? sql`${selectItemColumn(name)} collate "C"` : selectItemColumn(name);
}

function buildBrainCondition({ partOf }: PortableTable, brainId: string): RawBuilder<unknown> {
  if (!partOf) return sql`item.brain_id = ${brainId}`;
  return sql`${selectItemColumn(partOf.column)} in (select id from ${sql.table(partOf.table)} where brain_id = ${brainId})`;
}

function buildValueExpression(spec: PortableTable, name: string, archived: readonly string[]): RawBuilder<unknown> {
  const led = spec.leadsTo?.[name];
  if (led) return buildShiftedId(name, led.table, archived);
  return spec.ids.includes(name) ? sql`shift_id(${selectItemColumn(name)}, archive_shift)` : selectItemColumn(name);
}

/** The id in the archive of an item in one of its brains. */
function buildShiftedId(name: string, table: string, archived: readonly string[]): RawBuilder<unknown> {
  return sql`(select shift_id(there.id, brains.archive_shift) from ${sql.table(table)} as there
    join brains on brains.id = there.brain_id where there.id = ${selectItemColumn(name)} and there.brain_id = any(${[...archived]}::uuid[]))`;
}

async function storeRows(
  db: Db,
  spec: PortableTable,
  { importId, workspaceId, personId, brainIds, shift }: Parameters<Portable['store']>[1],
): Promise<number> {
  const isId = (name: string) => spec.ids.includes(name) || spec.leadsTo?.[name] !== undefined;
  const columns = new Map<string, RawBuilder<unknown>>([
    ...Object.keys(spec.row.shape).map(
      (name) =>
        [
          name,
          isId(name) ? sql`shift_id(${selectItemColumn(name)}, ${-shift}::bigint)` : selectItemColumn(name),
        ] as const,
    ),
    ['workspace_id', sql`${workspaceId}::uuid`],
    ...(spec.partOf ? [] : [['brain_id', sql`(${[...brainIds]}::uuid[])[archived.brain]`] as const]),
    ...Object.entries(spec.fixed ?? {}).map(([name, value]) => [name, sql.raw(value)] as const),
    ...(spec.person ?? []).map((name) => [name, sql`${personId}::uuid`] as const),
  ]);
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.table(spec.table)} (${sql.join([...columns.keys()].map((name) => sql.ref(name)))})
    select ${sql.join([...columns.values()])}
      from ${selectArchiveLines(importId, spec.kind)} as archived
      cross join lateral jsonb_populate_record(null::${sql.table(spec.table)}, archived.data) as item
     order by archived.line
  `.execute(db);
  return Number(numAffectedRows);
}
