import type { Kysely } from 'kysely';

type Tables = {
  workspaces: { id: string; name: string; created_at: Date };
  people: { id: string; workspace_id: string; email: string; name: string; role: PersonRole; created_at: Date };
};

export type PersonRole = 'owner' | 'admin' | 'member';
export type Person = { id: string; name: string; email: string; role: PersonRole };

/** Ids of all workspaces; for work of the server itself. */
export async function listWorkspaceIds(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').orderBy('created_at').execute();
  return rows.map((row) => row.id);
}

export async function insertWorkspace(
  db: Kysely<Tables>,
  workspace: { id: string; name: string; at: Date },
): Promise<void> {
  await db
    .insertInto('workspaces')
    .values({ id: workspace.id, name: workspace.name, created_at: workspace.at })
    .execute();
}

/** Adds a person. False when somebody has the address already. */
export async function insertPerson(
  db: Kysely<Tables>,
  person: Person & { workspaceId: string; at: Date },
): Promise<boolean> {
  const { id, name, email, role, workspaceId, at } = person;
  const row = await db
    .insertInto('people')
    .values({ id, name, email, role, workspace_id: workspaceId, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPerson(db: Kysely<Tables>, id: string): Promise<Person | undefined> {
  return db.selectFrom('people').select(['id', 'name', 'email', 'role']).where('id', '=', id).executeTakeFirst();
}

/** Addresses are compared without regard to case, as mail servers do. */
export async function findPersonByEmail(db: Kysely<Tables>, email: string): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'role'])
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}

export async function findOwner(db: Kysely<Tables>): Promise<Person | undefined> {
  return db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'role'])
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst();
}

export async function findWorkspaceName(db: Kysely<Tables>, id: string): Promise<string> {
  const row = await db.selectFrom('workspaces').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return row.name;
}

export async function countPeople(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('people')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
