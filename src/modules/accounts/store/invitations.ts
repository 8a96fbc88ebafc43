import { sql, type Kysely } from 'kysely';

type Row = {
  id: string;
  workspace_id: string;
  email: string;
  address_hash: string;
  role: InvitedRole;
  invited_by: string;
  made_by_key: string | null;
  created_at: Date;
};
type Tables = {
  invitations: Row;
};
type Db = Kysely<Tables>;

export type InvitedRole = 'admin' | 'member';

/** A person who was invited, to the workspace or only to its brains, and has not joined. */
export type InvitedPerson = {
  id: string;
  email: string;
  role: InvitedRole;
  invited_by: string;
  invited_by_name: string;
  created_at: Date;
  brains: { brain_id: string; access_level: string }[];
};

/** Invites an address to the workspace. A second invitation replaces the first. Returns its id. */
export async function insertInvitation(db: Db, invitation: Omit<Row, 'address_hash'>): Promise<string> {
  const { role, invited_by } = invitation;
  const made_by_key = sql<string | null>`coalesce(excluded.made_by_key, invitations.made_by_key)`; // its link may still be in use
  const row = await db
    .insertInto('invitations')
    .values(invitation as Row) // the database computes the hash
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'email']).doUpdateSet({ role, invited_by, made_by_key }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * All invited people who have not joined, one row per address. Invitations only to brains are identified by the first
 * of them.
 */
export async function listInvited(db: Db): Promise<InvitedPerson[]> {
  const { rows } = await sql<InvitedPerson>`
    with all_invited as (
      select id, email, role, invited_by, created_at, null::uuid as brain_id, null::text as access_level
        from invitations where workspace_id = current_workspace()
      union all
      select id, email, 'member', invited_by, created_at, brain_id, access_level
        from brain_invitees where workspace_id = current_workspace()
    )
    select (array_agg(each.id order by brain_id nulls first, each.created_at, each.id))[1] as id,
           each.email,
           case when bool_or(each.role = 'admin') then 'admin' else 'member' end as role,
           (array_agg(each.invited_by order by brain_id nulls first, each.created_at, each.id))[1] as invited_by,
           (array_agg(inviter.name order by brain_id nulls first, each.created_at, each.id))[1] as invited_by_name,
           min(each.created_at) as created_at,
           coalesce(jsonb_agg(jsonb_build_object('brain_id', brain_id, 'access_level', access_level)
             order by each.created_at) filter (where brain_id is not null), '[]') as brains
      from all_invited each join people inviter on inviter.id = each.invited_by
     where not exists (select from people where workspace_id = current_workspace() and removed_at is null
       and lower(people.email) = each.email)
     group by each.email order by min(each.created_at) desc limit 1000
  `.execute(db);
  return rows;
}

/** Those of the ids that are invitations to the workspace or to a brain. */
export async function locateInvitations(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from invitations where id = any(${ids}::uuid[]) and workspace_id = current_workspace()
    union all
    select id from brain_invitees where id = any(${ids}::uuid[]) and workspace_id = current_workspace()
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The address that an invitation is for. */
export async function findInvitationAddress(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from invitations where id = ${id} union all select email from brain_invitees where id = ${id}
  `.execute(db);
  return rows[0]?.email;
}

/**
 * The role that an address is invited to in the bound workspace, limited by what its inviter may still grant; null:
 * none. Only administrators of the workspace grant the role `admin`.
 */
export async function findInvitedRole(db: Db, email: string): Promise<InvitedRole | null> {
  const { rows } = await sql<{ role: InvitedRole }>`
    select invitations.role from invitations join people inviter on inviter.id = invitations.invited_by
     where invitations.workspace_id = current_workspace() and invitations.email = ${email.toLowerCase()}
       and inviter.removed_at is null and (invitations.role = 'member' or inviter.role <> 'member')
  `.execute(db);
  return rows[0]?.role ?? null;
}

/** Ends the invitation of an address to the workspace, but not those to brains. */
export async function dropInvitation(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('email', '=', email.toLowerCase())
    .execute();
}

/** Ends the open invitations to the bound workspace that a person made. Returns their addresses. */
export async function dropInvitationsOfInviter(db: Db, personId: string): Promise<string[]> {
  const dropped = await db
    .deleteFrom('invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('invited_by', '=', personId)
    .returning('email')
    .execute();
  return dropped.map(({ email }) => email);
}

/** The name of the person who invited an address to the bound workspace or to a brain of it. */
export async function findInviter(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select people.name from (
      select invited_by, 0 as rank from invitations
       where workspace_id = current_workspace() and email = ${email.toLowerCase()}
      union all
      select invited_by, 1 from brain_invitees
       where workspace_id = current_workspace() and email = ${email.toLowerCase()}
    ) as inviting join people on people.id = inviting.invited_by
     where people.removed_at is null order by rank limit 1
  `.execute(db);
  return rows[0]?.name;
}

/** Records that a key received the link of an invitation to the workspace. */
export async function noteKeyOfInvitation(db: Db, email: string, keyId: string): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ made_by_key: keyId })
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('email', '=', email.toLowerCase())
    .execute();
}

/** The key that created an invitation of an address; null: people created all of them. */
export async function findKeyOfInvitation(db: Db, email: string): Promise<string | null> {
  const { rows } = await sql<{ made_by_key: string }>`
    select made_by_key from invitations where workspace_id = current_workspace() and email = ${email.toLowerCase()}
       and made_by_key is not null
    union all
    select made_by_key from brain_invitees where workspace_id = current_workspace() and email = ${email.toLowerCase()}
       and made_by_key is not null
    limit 1
  `.execute(db);
  return rows[0]?.made_by_key ?? null;
}

/** Ends the open invitations to the bound workspace that keys made. Returns their addresses. */
export async function dropInvitationsOfKeys(db: Db, keyIds: readonly string[]): Promise<string[]> {
  const dropped = await db
    .deleteFrom('invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('made_by_key', 'in', keyIds)
    .returning('email')
    .execute();
  return dropped.map(({ email }) => email);
}

/** Ends the open invitations of admins that a person made. Returns their addresses. */
export async function dropAdminInvitations(db: Db, personId: string): Promise<string[]> {
  const dropped = await db
    .deleteFrom('invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('invited_by', '=', personId)
    .where('role', '=', 'admin')
    .returning('email')
    .execute();
  return dropped.map(({ email }) => email);
}

/** The workspaces that invited an address, for a transaction that presents the address. */
export async function listInvitingWorkspaceIds(db: Db, addressHash: string): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from invitations where address_hash = ${addressHash}
    union
    select workspace_id from brain_invitees where address_hash = ${addressHash}
  `.execute(db);
  return rows.map(({ workspace_id }) => workspace_id);
}
