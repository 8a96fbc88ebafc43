import { brainRoles, type BrainRole } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { dropEventsOfBrain } from '#modules/audit';
import { sql, type Kysely } from 'kysely';
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';

type BrainRow = {
  id: string;
  workspace_id: string;
  parent_brain_id: string | null;
  name: string;
  description: string;
  routing_rules: string;
  language: string;
  personal_to: string | null;
  created_by: string | null;
  created_at: Date;
};
export type MemberRow = {
  brain_id: string;
  person_id: string;
  workspace_id: string;
  access_level: BrainRole;
  cascades: boolean;
  created_at: Date;
  removed_at: Date | null;
};
type DeletedRow = { brain_id: string; workspace_id: string; deleted_by: string; deleted_at: Date };
export type Tables = { brains: BrainRow; brain_members: MemberRow; deleted_brains: DeletedRow };

const columns = [
  'id',
  'parent_brain_id',
  'name',
  'description',
  'routing_rules',
  'language',
  'personal_to',
] as const satisfies (keyof BrainRow)[];

export type Brain = Pick<BrainRow, (typeof columns)[number]>;
export type NewBrain = Omit<Brain, 'parent_brain_id' | 'personal_to'> & {
  workspaceId: string;
  parentBrainId: string | null;
  personalTo: string | null;
  createdBy: string;
  at: Date;
};

/** Stores a brain and makes its creator the owner. */
export async function insertBrain(db: Kysely<Tables>, brain: NewBrain): Promise<void> {
  const { workspaceId, parentBrainId, personalTo, createdBy, at, ...same } = brain;
  await db
    .insertInto('brains')
    .values({
      ...same,
      workspace_id: workspaceId,
      parent_brain_id: parentBrainId,
      personal_to: personalTo,
      created_by: createdBy,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('brain_members')
    .values({
      brain_id: brain.id,
      person_id: createdBy,
      workspace_id: workspaceId,
      access_level: 'owner',
      cascades: true,
      created_at: at,
      removed_at: null,
    })
    .execute();
}

/** The brains with these ids, by name. */
export async function findBrains(db: Kysely<Tables>, ids: readonly string[]): Promise<Brain[]> {
  if (!ids.length) return [];
  return db.selectFrom('brains').select(columns).where('id', 'in', ids).orderBy('name').execute();
}

/** The language of an existing brain. */
export async function readBrainLanguage(db: Kysely<Tables>, id: string): Promise<string> {
  const { language } = await db.selectFrom('brains').select('language').where('id', '=', id).executeTakeFirstOrThrow();
  return language;
}

export async function countMembers(db: Kysely<Tables>, brainIds: readonly string[]): Promise<Map<string, number>> {
  if (!brainIds.length) return new Map();
  const rows = await db
    .selectFrom('brain_members')
    .select(['brain_id', (eb) => eb.fn.countAll<number>().as('members')])
    .where('brain_id', 'in', brainIds)
    .where('removed_at', 'is', null)
    .groupBy('brain_id')
    .execute();
  return new Map(rows.map((row) => [row.brain_id, row.members]));
}

/** A person's own brain; every person has one from the day they join. */
export async function readPersonalBrainId(db: Kysely<Tables>, personId: string): Promise<string> {
  const row = await db.selectFrom('brains').select('id').where('personal_to', '=', personId).executeTakeFirstOrThrow();
  return row.id;
}

/**
 * A person's role on every brain they may read: by membership, by a cascading membership above, and as viewer on the
 * ancestors of those, because knowledge is inherited. Administrators of the workspace are admins of every brain. Other
 * people's personal brains are excluded.
 */
export async function readBrainRoles(
  db: Kysely<Tables>,
  personId: string,
  isAdministrator: boolean,
): Promise<Map<string, BrainRole>> {
  const { rows } = await sql<{ id: string; rank: number }>`
    with recursive granted (id, rank, cascades) as (
      select brain_id, array_position(${sql.val(brainRoles)}::text[], access_level), cascades
        from brain_members where person_id = ${personId} and removed_at is null
      union all
      select id, ${brainRoles.indexOf('admin') + 1}, true from brains
        where ${isAdministrator} and parent_brain_id is null and personal_to is null
    ), downward (id, rank, cascades) as (
      select id, rank, cascades from granted
      union
      select child.id, downward.rank, true
        from brains child join downward on child.parent_brain_id = downward.id and downward.cascades
        where child.personal_to is null
    ), upward (id, rank) as (
      select id, rank from downward
      union
      select parent.id, 1 from brains child
        join upward on child.id = upward.id
        join brains parent on parent.id = child.parent_brain_id
        where parent.personal_to is null or parent.personal_to = ${personId}
    )
    select id, max(rank) as rank from upward group by id
  `.execute(db);
  return new Map(rows.map(({ id, rank }) => [id, brainRoles[rank - 1] ?? 'viewer']));
}

/** A brain and its ancestors, nearest first. */
export async function listBrainLineage(db: Kysely<Tables>, brainId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive lineage (id, parent, distance) as (
      select id, parent_brain_id, 0 from brains where id = ${brainId}
      union all
      select brains.id, brains.parent_brain_id, distance + 1 from brains join lineage on brains.id = lineage.parent
    )
    select id from lineage order by distance
  `.execute(db);
  return rows.map((row) => row.id);
}

/** The changeable fields of a brain. */
export type BrainChange = Partial<
  Pick<BrainRow, 'name' | 'description' | 'routing_rules' | 'language' | 'parent_brain_id'>
>;

export async function changeBrain(db: Kysely<Tables>, id: string, change: BrainChange): Promise<Brain> {
  return db.updateTable('brains').set(change).where('id', '=', id).returning(columns).executeTakeFirstOrThrow();
}

/** The brain, with a row lock, so that other changes of it or its members wait. */
export async function lockBrain(db: Kysely<Tables>, id: string): Promise<Brain | undefined> {
  // Not `for update`: that would block every write to the brain.
  return db.selectFrom('brains').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Serializes changes of the workspace's tree, because two concurrent moves could form a ring. */
export async function lockTree(db: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tree of brains ' || current_workspace(), 0))`.execute(db);
}

/** A brain and everything below it, each with its depth. */
export async function listBrainSubtree(db: Kysely<Tables>, brainId: string): Promise<{ id: string; level: number }[]> {
  const { rows } = await sql<{ id: string; level: number }>`
    with recursive subtree (id, level) as (
      select id, 0 from brains where id = ${brainId}
      union all
      select brains.id, level + 1 from brains join subtree on brains.parent_brain_id = subtree.id
    )
    select id, level from subtree
  `.execute(db);
  return rows;
}

export async function countBrains(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('brains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The brain, with a lock that blocks further writes to it and waits for present ones. */
export async function lockBrainToDelete(db: Kysely<Tables>, id: string): Promise<Brain | undefined> {
  return db.selectFrom('brains').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listChildBrains(db: Kysely<Tables>, id: string): Promise<Pick<BrainRow, 'id' | 'name'>[]> {
  return db.selectFrom('brains').select(['id', 'name']).where('parent_brain_id', '=', id).orderBy('name').execute();
}

/** Deletes a brain with its contents, and leaves a tombstone. */
export async function removeBrain(
  db: Db,
  { id, workspaceId, by, at }: { id: string; workspaceId: string; by: string; at: Date },
): Promise<void> {
  await dropEventsOfBrain(db, id);
  await db.deleteFrom('brains').where('id', '=', id).execute();
  await db
    .insertInto('deleted_brains')
    .values({ brain_id: id, workspace_id: workspaceId, deleted_by: by, deleted_at: at })
    .execute();
}

/** One line for the brain itself, at the head of its export. */
export const brainLine: BrainContents = {
  name: 'brain',
  scope: 'brains:read',
  cursor: idCursor,
  count: async (_db, ids) => new Map(ids.map((id) => [id, 1])),
  async exportBatch(db: Kysely<Tables>, id, { after }) {
    if (after) return { lines: [], next: null };
    const row = await db.selectFrom('brains').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return { lines: [exportLine('brain', row)], next: id };
  },
};
