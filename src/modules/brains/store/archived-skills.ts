// Skills in archives: what is exported, and what an import received.
import { sql } from 'kysely';
import type { Db } from '#kernel/database';
import type { ArchivedBrain } from '#kernel/portable';

type VersionLine = { name: string; version: number; content: string; saved_by_label: string; created_at: string };
type AssignmentLine = { name: string; is_enabled: boolean; created_at: string };

/** Times in lines are in UTC, and names are ordered by their bytes: both are the same on every server. */
const withUtc = (db: Db) => sql`select set_config('timezone', 'UTC', true)`.execute(db);

/** Versions of the skills that are assigned to a brain and to none before it in the archive. */
export async function listArchivedVersions(
  db: Db,
  { brainId, archived }: ArchivedBrain,
  after: { name: string; version: number } | null,
  limit: number,
): Promise<VersionLine[]> {
  await withUtc(db);
  const { rows } = await sql<{ line: VersionLine }>`
    select json_build_object('name', name, 'version', saved.version, 'content', content,
                             'saved_by_label', saved_by_label, 'created_at', saved.created_at) as line
      from skill_assignments as assignment join skills on skills.id = skill_id
      join skill_versions as saved on saved.skill_id = skills.id
     where brain_id = ${brainId}
       and not exists (
         select from skill_assignments as earlier where earlier.skill_id = skills.id
            and array_position(${[...archived]}::uuid[], earlier.brain_id) < array_position(${[...archived]}::uuid[], assignment.brain_id))
       and (${after === null} or (name collate "C", saved.version) > (${after?.name ?? ''}, ${after?.version ?? 0}::integer))
     order by name collate "C", saved.version limit ${limit}`.execute(db);
  return rows.map(({ line }) => line);
}

/** Which skills are assigned to a brain. */
export async function listArchivedAssignments(
  db: Db,
  brainId: string,
  after: string | null,
  limit: number,
): Promise<AssignmentLine[]> {
  await withUtc(db);
  const { rows } = await sql<{ line: AssignmentLine }>`
    select json_build_object('name', name, 'is_enabled', is_enabled, 'created_at', assignment.created_at) as line
      from skill_assignments as assignment join skills on skills.id = skill_id
     where brain_id = ${brainId} and (${after}::text is null or name collate "C" > ${after})
     order by name collate "C" limit ${limit}`.execute(db);
  return rows.map(({ line }) => line);
}

/** The skills that an import received, each with its newest instructions. */
export async function listReceivedSkills(db: Db, importId: string): Promise<{ name: string; content: string }[]> {
  const { rows } = await sql<{ name: string; content: string }>`
    select distinct on (data ->> 'name') data ->> 'name' as name, data ->> 'content' as content
      from archive_lines where import_id = ${importId} and kind = 'skill_version'
     order by data ->> 'name', (data ->> 'version')::integer desc`.execute(db);
  return rows;
}

/** Stores a received skill with its versions under a name. Returns how many versions. */
export async function insertReceivedSkill(
  db: Db,
  importId: string,
  skill: { id: string; from: string; name: string; workspaceId: string; personId: string },
): Promise<number> {
  const { id, from, name, workspaceId, personId } = skill;
  const { numAffectedRows = 0n } = await sql`
    with received as (
      select data ->> 'content' as content, data ->> 'saved_by_label' as saved_by_label,
             (data ->> 'version')::integer as version, (data ->> 'created_at')::timestamptz as created_at
        from archive_lines where import_id = ${importId} and kind = 'skill_version' and data ->> 'name' = ${from}
    ), skill as (
      insert into skills (id, workspace_id, name, version, created_by, created_at, updated_at)
      select ${id}::uuid, ${workspaceId}::uuid, ${name}, max(version), ${personId}::uuid, min(created_at), max(created_at)
        from received
    )
    insert into skill_versions (skill_id, version, workspace_id, content, saved_by, saved_by_label, created_at)
    select ${id}::uuid, version, ${workspaceId}::uuid, content, ${personId}::uuid, saved_by_label, created_at
      from received`.execute(db);
  return Number(numAffectedRows);
}

/** The assignments that an import received; `brain` counts the brains of the archive. */
export async function listReceivedAssignments(
  db: Db,
  importId: string,
): Promise<{ name: string; brain: number; is_enabled: boolean; at: Date }[]> {
  const { rows } = await sql<{ name: string; brain: number; is_enabled: boolean; at: Date }>`
    select data ->> 'name' as name, brain, (data ->> 'is_enabled')::boolean as is_enabled,
           (data ->> 'created_at')::timestamptz as at
      from archive_lines where import_id = ${importId} and kind = 'skill_assignment' order by line`.execute(db);
  return rows;
}
