import type { BrainRole } from '#kernel/caller';
import { sql, type Kysely } from 'kysely';
import type { Tables as BrainTables } from './brains.ts';
import { createTableContents } from './contents.ts';

/** The roles that an invitation can give. */
export const invitedRoles = ['viewer', 'editor', 'admin'] as const satisfies readonly BrainRole[];
export type InvitedRole = (typeof invitedRoles)[number];

type InvitationRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  email: string;
  access_level: InvitedRole;
  cascades: boolean;
  invited_by: string;
  made_by_key: string | null;
  created_at: Date;
};
type Tables = BrainTables & { brain_invitations: InvitationRow };
type Db = Kysely<Tables>;

/** Serializes invitations and sign-ups of one address, so that an invitation cannot miss a new person. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  const address = `address ${email.toLowerCase()} `;
  await sql`select pg_advisory_xact_lock(hashtextextended(${address} || current_workspace(), 0))`.execute(db);
}

/** Stores an invitation. A second one for the same address replaces the first. Returns its id. */
export async function insertInvitation(db: Db, invitation: InvitationRow): Promise<string> {
  const { access_level, cascades, invited_by } = invitation;
  const made_by_key = sql<string | null>`coalesce(excluded.made_by_key, brain_invitations.made_by_key)`; // its link may still be in use
  const row = await db
    .insertInto('brain_invitations')
    .values(invitation)
    .onConflict((conflict) =>
      conflict.columns(['brain_id', 'email']).doUpdateSet({ access_level, cascades, invited_by, made_by_key }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function listInvitations(db: Db, brainId: string): Promise<InvitationRow[]> {
  return db.selectFrom('brain_invitations').selectAll().where('brain_id', '=', brainId).orderBy('email').execute();
}

export async function findInvitation(db: Db, brainId: string, id: string): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('brain_invitations')
    .selectAll()
    .where('brain_id', '=', brainId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function changeInvitation(
  db: Db,
  id: string,
  change: Partial<Pick<InvitationRow, 'access_level' | 'cascades'>>,
): Promise<void> {
  await db.updateTable('brain_invitations').set(change).where('id', '=', id).execute();
}

export async function dropInvitation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('brain_invitations').where('id', '=', id).execute();
}

/** The number of invited addresses without an account, excluding this one. */
export async function countInvited(db: Db, exceptEmail: string): Promise<number> {
  const { count } = await db
    .selectFrom('brain_invitations')
    .select((eb) => eb.fn.count<number>('email').distinct().as('count'))
    .where('email', '!=', exceptEmail)
    .where(
      sql<boolean>`not exists (select from people_directory as people where removed_at is null and lower(people.email) = brain_invitations.email)`,
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** Withdraws every invitation of an address to brains of the bound workspace. */
export async function dropBrainInvitations(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom('brain_invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('email', '=', email.toLowerCase())
    .execute();
}

/** Ends the open invitations that a person made to brains of the bound workspace. Returns their addresses. */
export async function dropSentBrainInvitations(db: Db, personId: string): Promise<string[]> {
  const dropped = await db
    .deleteFrom('brain_invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('invited_by', '=', personId)
    .returning('email')
    .execute();
  return dropped.map(({ email }) => email);
}

/** The same for the invitations that keys made. */
export async function dropBrainInvitationsOfKeys(db: Db, keyIds: readonly string[]): Promise<string[]> {
  const dropped = await db
    .deleteFrom('brain_invitations')
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('made_by_key', 'in', keyIds)
    .returning('email')
    .execute();
  return dropped.map(({ email }) => email);
}

/** Records that a key received the link of an address that was invited to brains. */
export async function noteKeyOfBrainInvitations(db: Db, email: string, keyId: string): Promise<void> {
  await db
    .updateTable('brain_invitations')
    .set({ made_by_key: keyId })
    .where(sql<boolean>`workspace_id = current_workspace()`)
    .where('email', '=', email.toLowerCase())
    .execute();
}

/** An invitation, and whether its inviter administers the workspace now. */
export type OpenInvitation = InvitationRow & { by_administrator: boolean };

/** The invitations of an address in the bound workspace whose inviters are still there. */
export async function listOpenBrainInvitations(db: Db, email: string): Promise<OpenInvitation[]> {
  const { rows } = await sql<OpenInvitation>`
    select brain_invitations.*, inviter.role <> 'member' as by_administrator
      from brain_invitations join people_directory inviter on inviter.id = brain_invitations.invited_by
     where brain_invitations.workspace_id = current_workspace() and brain_invitations.email = ${email.toLowerCase()}
       and inviter.removed_at is null
     order by brain_invitations.brain_id
  `.execute(db);
  return rows;
}

/** Pending invitations. */
export const invitationContents = createTableContents('brain_invitations', { name: 'invitations', kind: 'invitation' });
