import { sql, type Kysely } from 'kysely';
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';

type SkillRow = {
  id: string;
  workspace_id: string;
  name: string;
  version: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  source_document_id: string | null;
};
type VersionRow = {
  skill_id: string;
  version: number;
  workspace_id: string;
  content: string;
  saved_by: string;
  saved_by_label: string;
  created_at: Date;
};
type AssignmentRow = {
  id: string;
  workspace_id: string;
  skill_id: string;
  brain_id: string | null;
  key_id: string | null;
  is_enabled: boolean;
  assigned_by: string;
  created_at: Date;
};
type Tables = {
  skills: SkillRow;
  skill_versions: VersionRow;
  skill_assignments: AssignmentRow;
  brains: { id: string; name: string };
  key_directory: { id: string; person_id: string };
};
type Db = Kysely<Tables>;

/** A skill with the text of its current version. */
export type Skill = Pick<SkillRow, 'id' | 'name' | 'version' | 'created_by' | 'updated_at' | 'source_document_id'> & {
  content: string;
};
export type NewVersion = Omit<VersionRow, 'version' | 'created_at'> & { at: Date };

/** The target of an assignment: a brain, or an agent's key. */
export type SkillHolder = { brainId: string } | { keyId: string };

/** Adds a skill without versions. False: the name is taken. */
export async function insertSkill(
  db: Db,
  { at, ...skill }: Pick<SkillRow, 'id' | 'workspace_id' | 'name' | 'created_by' | 'source_document_id'> & { at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('skills')
    .values({ ...skill, version: 0, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the next version of a skill. Returns its number. */
export async function insertVersion(db: Db, { at, ...version }: NewVersion): Promise<number> {
  const skill = await db
    .updateTable('skills')
    .set({ version: sql`version + 1`, updated_at: at })
    .where('id', '=', version.skill_id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('skill_versions')
    .values({ ...version, version: skill.version, created_at: at })
    .execute();
  return skill.version;
}

/** Renames a skill. False: the name is taken. */
export async function renameSkill(db: Db, id: string, name: string): Promise<boolean> {
  const row = await db
    .updateTable('skills')
    .set({ name })
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select from skills other where lower(other.name) = lower(${name}) and other.id <> ${id})`,
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds a skill by id or name. */
export async function findSkill(db: Db, which: { id: string } | { name: string }): Promise<Skill | undefined> {
  return selectSkills(db)
    .select('content')
    .where((eb) =>
      'id' in which ? eb('skills.id', '=', which.id) : sql<boolean>`lower(skills.name) = lower(${which.name})`,
    )
    .executeTakeFirst();
}

/** How much text is read for a list, which shows the first line. */
const opening = 400;

/** Skills by name, the whole library or those of the ids, each with the beginning of its text. */
export async function listSkills(db: Db, ids?: readonly string[]): Promise<Skill[]> {
  return selectSkills(db)
    .select(sql<string>`left(content, ${opening})`.as('content'))
    .$if(ids !== undefined, (query) => query.where('skills.id', 'in', ids ?? []))
    .orderBy(sql`lower(skills.name)`)
    .execute();
}

/** Serializes naming in the library, so that concurrent callers cannot take the same name. */
export async function lockLibrary(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('skills ' || current_workspace(), 0))`.execute(db);
}

export async function countSkills(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('skills')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function findVersion(db: Db, skillId: string, version: number): Promise<VersionRow | undefined> {
  return db
    .selectFrom('skill_versions')
    .selectAll()
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** The versions of a skill, newest first. */
export async function listVersions(db: Db, skillId: string): Promise<(VersionRow & { person_name: string | null })[]> {
  return db
    .selectFrom('skill_versions')
    .selectAll()
    .select(sql<string | null>`(select name from people_directory where id = saved_by)`.as('person_name'))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .limit(200)
    .execute();
}

export type Assignment = Pick<AssignmentRow, 'skill_id' | 'brain_id' | 'key_id' | 'is_enabled'> & {
  brain_name: string | null;
};

/** Assignments to these brains and to these keys, or for null to everybody's keys. */
export async function listAssignments(
  db: Db,
  to: { brainIds: readonly string[]; keyIds: readonly string[]; keysOf?: string | null },
): Promise<Assignment[]> {
  return db
    .selectFrom('skill_assignments as assignment')
    .leftJoin('brains', 'brains.id', 'assignment.brain_id')
    .leftJoin('key_directory as keys', 'keys.id', 'assignment.key_id')
    .select(['skill_id', 'brain_id', 'key_id', 'is_enabled', 'brains.name as brain_name'])
    .where((eb) =>
      eb.or([
        sql<boolean>`brain_id = any(${to.brainIds}::uuid[])`,
        sql<boolean>`key_id = any(${to.keyIds}::uuid[])`,
        ...(to.keysOf === undefined
          ? []
          : [to.keysOf === null ? eb('key_id', 'is not', null) : eb('keys.person_id', '=', to.keysOf)]),
      ]),
    )
    .orderBy('assignment.created_at')
    .execute();
}

/** Assigns a skill, or turns it on or off where it is already assigned. */
export async function assign(
  db: Db,
  holder: SkillHolder,
  { at, ...assignment }: Omit<AssignmentRow, 'brain_id' | 'key_id' | 'created_at'> & { at: Date },
): Promise<void> {
  const { is_enabled } = assignment;
  const [column, ids] =
    'brainId' in holder
      ? (['brain_id', { brain_id: holder.brainId, key_id: null }] as const)
      : (['key_id', { brain_id: null, key_id: holder.keyId }] as const);
  await db
    .insertInto('skill_assignments')
    .values({ ...assignment, ...ids, created_at: at })
    .onConflict((conflict) =>
      conflict.columns([column, 'skill_id']).where(column, 'is not', null).doUpdateSet({ is_enabled }),
    )
    .execute();
}

/** Turns an assignment on or off. False: there is none. */
export async function enable(db: Db, skillId: string, holder: SkillHolder, isEnabled: boolean): Promise<boolean> {
  const row = await db
    .updateTable('skill_assignments')
    .set({ is_enabled: isEnabled })
    .where('skill_id', '=', skillId)
    .where((eb) => ('brainId' in holder ? eb('brain_id', '=', holder.brainId) : eb('key_id', '=', holder.keyId)))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes an assignment. False: there is none. */
export async function unassign(db: Db, skillId: string, holder: SkillHolder): Promise<boolean> {
  const row = await db
    .deleteFrom('skill_assignments')
    .where('skill_id', '=', skillId)
    .where((eb) => ('brainId' in holder ? eb('brain_id', '=', holder.brainId) : eb('key_id', '=', holder.keyId)))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids that are skills of the workspace. */
export async function locateSkills(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('skills').select('id').where('id', 'in', ids).execute();
  return rows.map((row) => row.id);
}

/** The skills assigned to a brain, with their present text; the library keeps them when the brain is deleted. */
export const skillContents: BrainContents = {
  name: 'skill_assignments',
  scope: 'brains:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const { rows } = await sql<{ brain_id: string; count: number }>`
      select brain_id, count(*) as count from skill_assignments
       where brain_id = any(${brainIds}::uuid[]) group by brain_id
    `.execute(db);
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ id: string }>`
      select assignment.*, skills.name, skills.version, content
        from skill_assignments assignment
        join skills on skills.id = skill_id
        join skill_versions on skill_versions.skill_id = skills.id and skill_versions.version = skills.version
       where brain_id = ${brainId} and (${after}::uuid is null or assignment.id > ${after}::uuid)
       order by assignment.id limit ${limit}
    `.execute(db);
    return { lines: rows.map((row) => exportLine('skill_assignment', row)), next: rows.at(-1)?.id ?? null };
  },
};

function selectSkills(db: Db) {
  return db
    .selectFrom('skills')
    .innerJoin('skill_versions', (join) =>
      join.onRef('skill_versions.skill_id', '=', 'skills.id').onRef('skill_versions.version', '=', 'skills.version'),
    )
    .select(['skills.id', 'skills.name', 'skills.version', 'skills.created_by', 'skills.updated_at'])
    .select('skills.source_document_id');
}
