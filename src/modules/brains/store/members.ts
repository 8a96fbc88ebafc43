import { brainRoles, type BrainRole } from '#kernel/caller';
import { sql, type Kysely } from 'kysely';
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { MemberRow, Tables } from './brains.ts';

/** Active direct members of the brain. */
export async function listMemberIds(db: Kysely<Tables>, brainId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('brain_members')
    .select('person_id')
    .where('brain_id', '=', brainId)
    .where('removed_at', 'is', null)
    .execute();
  return rows.map((row) => row.person_id);
}

/** A direct membership, with the person. */
export type Member = Pick<MemberRow, 'brain_id' | 'access_level' | 'cascades' | 'created_at'> & {
  person_id: string;
  name: string;
  email: string;
};

/** Active memberships of these brains, owners first. */
export async function listMembers(db: Kysely<Tables>, brainIds: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select brain_id, person_id, access_level, cascades, brain_members.created_at, name, email
      from brain_members join people_directory as people on people.id = person_id
     where brain_id = any(${brainIds}::uuid[]) and brain_members.removed_at is null and people.removed_at is null
     order by array_position(${sql.val(brainRoles)}::text[], access_level) desc, name, person_id
  `.execute(db);
  return rows;
}

/** A person's active direct membership. */
export async function findMember(
  db: Kysely<Tables>,
  brainId: string,
  personId: string,
): Promise<Pick<MemberRow, 'access_level' | 'cascades'> | undefined> {
  return db
    .selectFrom('brain_members')
    .select(['access_level', 'cascades'])
    .where('brain_id', '=', brainId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

/** Adds a member, or restores a former one. An active membership is unchanged. */
export async function restoreMember(
  db: Kysely<Tables>,
  { at, ...member }: Omit<MemberRow, 'created_at' | 'removed_at'> & { at: Date },
): Promise<void> {
  const { access_level, cascades } = member;
  await db
    .insertInto('brain_members')
    .values({ ...member, created_at: at, removed_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['brain_id', 'person_id'])
        .doUpdateSet({ access_level, cascades, created_at: at, removed_at: null })
        .where('brain_members.removed_at', 'is not', null),
    )
    .execute();
}

export async function changeMember(
  db: Kysely<Tables>,
  { brainId, personId }: { brainId: string; personId: string },
  change: Partial<Pick<MemberRow, 'access_level' | 'cascades' | 'removed_at'>>,
): Promise<void> {
  await db
    .updateTable('brain_members')
    .set(change)
    .where('brain_id', '=', brainId)
    .where('person_id', '=', personId)
    .execute();
}

/** Ends a person's roles on all brains except their personal one. Their brains get another owner. */
export async function transferPersonBrains(
  db: Kysely<Tables>,
  { personId, heirId, at }: { personId: string; heirId: string; at: Date },
): Promise<void> {
  await sql`
    insert into brain_members (brain_id, person_id, workspace_id, access_level, cascades, created_at)
    select brain_id, ${heirId}, brain_members.workspace_id, 'owner', true, ${at}
      from brain_members join brains on brains.id = brain_id
     where person_id = ${personId} and access_level = 'owner' and removed_at is null and personal_to is null
    on conflict (brain_id, person_id) do update set access_level = 'owner', cascades = true, removed_at = null
  `.execute(db);
  await sql`
    update brain_members set removed_at = ${at}, access_level = case access_level when 'owner' then 'admin' else access_level end
      from brains
     where brains.id = brain_id and person_id = ${personId} and removed_at is null and personal_to is null
  `.execute(db);
}

/** The ids that are people or invitations of the workspace. */
export async function locateMembers(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from people_directory where id = any(${ids}::uuid[])
    union all select id from brain_invitations where id = any(${ids}::uuid[])
  `.execute(db);
  return rows.map((row) => row.id);
}

/** Memberships with names, including ended ones. */
export const memberContents: BrainContents = {
  name: 'members',
  scope: 'brains:read',
  cursor: idCursor,
  async count(db: Kysely<Tables>, brainIds) {
    const { rows } = await sql<{ brain_id: string; count: number }>`
      select brain_id, count(*) as count from brain_members where brain_id = any(${brainIds}::uuid[]) group by brain_id
    `.execute(db);
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ person_id: string; access_level: BrainRole }>`
      select brain_members.*, people.name, people.email
        from brain_members join people_directory as people on people.id = person_id
       where brain_id = ${brainId} and (${after}::uuid is null or person_id > ${after}::uuid)
       order by person_id limit ${limit}
    `.execute(db);
    return { lines: rows.map((row) => exportLine('member', row)), next: rows.at(-1)?.person_id ?? null };
  },
};
