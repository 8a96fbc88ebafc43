import { AppError } from '#kernel/errors';
import { sql, type Kysely } from 'kysely';

export type PersonRow = {
  id: string;
  workspace_id: string;
  identity_id: string;
  email: string;
  address_hash: string;
  name: string;
  role: PersonRole;
  created_at: Date;
  removed_at: Date | null;
  /** The key that created the invitation through which they joined; null: a person did. */
  made_by_key: string | null;
};
type Tables = {
  people: PersonRow;
  sessions: { person_id: string; last_used_at: Date | null; created_at: Date; revoked_at: Date | null };
};
type Db = Kysely<Tables>;

/** The roles in a workspace, the lowest first. */
export const personRoles = ['member', 'admin', 'owner'] as const;
export type PersonRole = (typeof personRoles)[number];
export type Person = { id: string; name: string; email: string; role: PersonRole };

/**
 * People of the bound workspace. A transaction that presents an identity or an address also sees its people elsewhere.
 */
const here = sql<boolean>`people.workspace_id = current_workspace()`;
const columns = ['id', 'name', 'email', 'role'] as const;

type NewPerson = Person & {
  workspaceId: string;
  /** The identity of the person; default: a new one. */
  identityId?: string;
  madeByKey?: string | null;
  at: Date;
};

/** Adds a person. False when another person already has the address. */
export async function insertPerson(db: Db, person: NewPerson): Promise<boolean> {
  const { id, name, email, role, workspaceId, identityId, madeByKey: made_by_key = null, at } = person;
  const values = { id, name, email, role, workspace_id: workspaceId, created_at: at, removed_at: null, made_by_key };
  const row = await db
    .insertInto('people')
    .values({ ...values, ...(identityId && { identity_id: identityId }) } as PersonRow) // the database creates an identity when none is given
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A person who is in the workspace; a removed one is not. */
export async function findPerson(db: Db, id: string): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select([...columns])
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

/** Like `findPerson`, and locks the person and their role until the transaction ends. */
export async function lockPerson(db: Db, id: string): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select([...columns])
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** Every process refuses a removed person within a second; until then they get this error. */
export function createPersonRemovedError(): AppError {
  return new AppError('unauthenticated', 'You are not in this workspace any more.');
}

/** Addresses are compared without case, as mail servers do. */
export async function findPersonByEmail(db: Db, email: string): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select([...columns])
    .where(here)
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

export async function findOwner(db: Db): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select([...columns])
    .where(here)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .executeTakeFirst();
}

export async function countPeople(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('people')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(here)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Everybody in the workspace, with the last time at the console. Owners first, then by name. */
export async function listPeople(db: Db): Promise<(PersonRow & { last_seen_at: Date | null })[]> {
  return db
    .selectFrom('people')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .select(sql<Date | null>`max(coalesce(last_used_at, sessions.created_at))`.as('at'))
        .whereRef('sessions.person_id', '=', 'people.id')
        .as('last_seen_at'),
    )
    .where(here)
    .where('removed_at', 'is', null)
    .orderBy(sql`array_position('{owner,admin,member}'::text[], role)`)
    .orderBy('name')
    .limit(1_000)
    .execute();
}

/** The people who joined through invitations of these keys and are in the workspace. */
export async function listPeopleOfKeys(db: Db, keyIds: readonly string[]): Promise<(Person & KeyOfPerson)[]> {
  if (!keyIds.length) return [];
  return db
    .selectFrom('people')
    .select([...columns, sql<string>`made_by_key`.as('made_by_key')])
    .where(here)
    .where('made_by_key', 'in', keyIds)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .limit(1_000)
    .execute();
}
type KeyOfPerson = { made_by_key: string };

/** Those of the ids that are people of the workspace. */
export async function locatePeople(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('id', 'in', ids)
    .where(here)
    .where('removed_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The identity behind a person, removed or not. */
export async function readIdentityId(db: Db, personId: string): Promise<string> {
  const row = await db.selectFrom('people').select('identity_id').where('id', '=', personId).executeTakeFirstOrThrow();
  return row.identity_id;
}

/** The person of an identity in the bound workspace, removed ones included. */
export async function findPersonByIdentity(db: Db, identityId: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where(here).where('identity_id', '=', identityId).executeTakeFirst();
}

/** The people of an identity in every workspace, for a transaction that presents it. The oldest first. */
export async function listPeopleByIdentity(db: Db, identityId: string): Promise<PersonRow[]> {
  return db
    .selectFrom('people')
    .selectAll()
    .where('identity_id', '=', identityId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .execute();
}

/** People with an address in any workspace, for a transaction that presents the address. The oldest first. */
export async function listPeopleByAddress(db: Db, addressHash: string): Promise<PersonRow[]> {
  return db
    .selectFrom('people')
    .selectAll()
    .where('address_hash', '=', addressHash)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .execute();
}

export async function changePerson(
  db: Db,
  id: string,
  change: Partial<Pick<PersonRow, 'name' | 'email' | 'role' | 'removed_at' | 'identity_id' | 'made_by_key'>>,
): Promise<void> {
  await db.updateTable('people').set(change).where('id', '=', id).execute();
}
