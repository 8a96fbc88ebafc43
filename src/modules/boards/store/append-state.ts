// What an append must know of its dataset, in one statement: all of it is read while other writers of the board wait.
import { idCursor } from '#kernel/brain-contents';
import { sql } from 'kysely';
import type { Column } from '../columns.ts';
import type { DatasetLocation, Db } from './tables.ts';

/** What tells the appended rows from others: their ids, or the values of a field and of a list of other rows. */
export type AppendedKeys = {
  ids: readonly string[];
  /** The field with the key of each row. Null: rows have none. */
  field: string | null;
  /** A list field of rows whose values count as keys, too. */
  list: string | null;
  keys: readonly string[];
};

export type AppendState = {
  /** The link that fills the dataset. */
  filled: { id: string; link_id: string; display_name: string } | null;
  /** Null: there is no such dataset. */
  columns: Column[] | null;
  dataset_count: number;
  /** Live rows. */
  row_count: number;
  /** Which of the ids and keys there are, deleted rows included: a row that a person deleted does not come back by an append. */
  known_ids: string[];
  known_keys: string[];
};

/** The board is locked by the caller. */
export async function readAppendState(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  { ids, field, list, keys }: AppendedKeys,
): Promise<AppendState> {
  const isOfDataset = sql`board_id = ${boardId} and dataset = ${dataset}`;
  const uuids = ids.filter((id) => idCursor.test(id));
  const inLists = sql`select element.key from board_rows
    cross join lateral jsonb_array_elements(case when jsonb_typeof(fields -> ${list}) = 'array' then fields -> ${list} else '[]' end) as item
    cross join lateral (select case when jsonb_typeof(item) = 'object' then item ->> ${field} else item #>> '{}' end as key) as element
    where ${isOfDataset} and element.key = any(${[...keys]}::text[])`;
  const { rows } = await sql<AppendState>`
    select
      (select jsonb_build_object('id', recipe.id, 'link_id', link.id, 'display_name', link.display_name)
         from dataset_recipes as recipe join board_links as link on link.id = recipe.link_id
        where recipe.board_id = ${boardId} and recipe.dataset = ${dataset}) as filled,
      (select columns from board_datasets where board_id = ${boardId} and name = ${dataset}) as columns,
      (select count(*)::integer from board_datasets where board_id = ${boardId}) as dataset_count,
      present.row_count,
      array(
        select row_key from board_rows where ${isOfDataset} and row_key = any(${[...ids]}::text[])
        union all
        select id::text from board_rows where ${isOfDataset} and row_key is null and id = any(${uuids}::uuid[])
      ) as known_ids,
      ${list === null ? sql`present.known_keys` : sql`present.known_keys || array(${inLists})`} as known_keys
    from (
      select count(*) filter (where deleted_at is null)::integer as row_count,
        ${field === null ? sql`'{}'::text[]` : sql`coalesce(array_agg(fields ->> ${field}) filter (where fields ->> ${field} = any(${[...keys]}::text[])), '{}')`} as known_keys
        from board_rows where ${isOfDataset}
    ) as present
  `.execute(db);
  const [state] = rows;
  if (!state) throw new Error('an aggregate has one row');
  return state;
}
