import type { ItemLocation } from '#kernel/resource';
import { sql, type Kysely } from 'kysely';
import { createTableContents } from './contents.ts';

/** The reach of an item: `inherited` includes the brains below, `local` only this brain. */
export const visibilities = ['inherited', 'local'] as const;

type ItemRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  section: string;
  content: string;
  visibility: (typeof visibilities)[number];
  version: number;
  added_by: string;
  added_by_label: string;
  created_at: Date;
  deactivated_at: Date | null;
  deactivated_by_label: string | null;
};
type Tables = { core_knowledge: ItemRow; brains: { id: string; name: string } };
type Db = Kysely<Tables>;

export type NewItem = Omit<ItemRow, 'version' | 'deactivated_at' | 'deactivated_by_label'>;
export type Item = ItemRow & { brain_name: string; person_name: string | null };

/** Stores an item as the next version of its section. The caller has locked the brain. */
export async function insertItem(db: Db, item: NewItem): Promise<number> {
  const row = await db
    .insertInto('core_knowledge')
    .values((eb) => ({
      ...item,
      version: eb
        .selectFrom('core_knowledge')
        .select(sql<number>`coalesce(max(version), 0) + 1`.as('next'))
        .where('brain_id', '=', item.brain_id)
        .where(sql<boolean>`lower(section) = lower(${item.section})`),
      deactivated_at: null,
      deactivated_by_label: null,
    }))
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
}

/** Deactivates the item of a section. Returns its id. Undefined: the section has none. */
export async function deactivateSection(
  db: Db,
  { brainId, section }: { brainId: string; section: string },
  by: { label: string; at: Date },
): Promise<string | undefined> {
  const row = await db
    .updateTable('core_knowledge')
    .set({ deactivated_at: by.at, deactivated_by_label: by.label })
    .where('brain_id', '=', brainId)
    .where(sql<boolean>`lower(section) = lower(${section})`)
    .where('deactivated_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Deactivates an item. False: the brain has no such active item. */
export async function deactivateItem(
  db: Db,
  { brainId, id }: { brainId: string; id: string },
  by: { label: string; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('core_knowledge')
    .set({ deactivated_at: by.at, deactivated_by_label: by.label })
    .where('brain_id', '=', brainId)
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The active item of a brain that has this id, or this section. */
export async function findActiveItem(
  db: Db,
  brainId: string,
  which: { id: string } | { section: string },
): Promise<{ id: string; section: string; content: string } | undefined> {
  return db
    .selectFrom('core_knowledge')
    .select(['id', 'section', 'content'])
    .where('brain_id', '=', brainId)
    .where('deactivated_at', 'is', null)
    .where((eb) => ('id' in which ? eb('id', '=', which.id) : sql<boolean>`lower(section) = lower(${which.section})`))
    .executeTakeFirst();
}

/**
 * Own and inherited items of a brain: highest brain first, then by section, newest version first. Inactive ones only
 * with `history`.
 */
export async function listItems(
  db: Db,
  { brainId, above, history = false }: { brainId: string; above: readonly string[]; history?: boolean },
): Promise<Item[]> {
  const order = [brainId, ...above];
  return db
    .selectFrom('core_knowledge')
    .innerJoin('brains', 'brains.id', 'core_knowledge.brain_id')
    .selectAll('core_knowledge')
    .select('brains.name as brain_name')
    .select(sql<string | null>`(select name from people_directory where id = added_by)`.as('person_name'))
    .where('brain_id', 'in', order)
    .where((eb) => eb.or([eb('brain_id', '=', brainId), eb('visibility', '=', 'inherited')]))
    .$if(!history, (query) => query.where('deactivated_at', 'is', null))
    .orderBy(sql`array_position(${order}::uuid[], brain_id)`, 'desc')
    .orderBy(sql`lower(section)`)
    .orderBy('version', 'desc')
    .execute();
}

export async function locateItems(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('core_knowledge').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** Core knowledge, including inactive items. */
export const coreKnowledgeContents = createTableContents('core_knowledge', {
  name: 'core_knowledge',
  kind: 'core_knowledge',
});
