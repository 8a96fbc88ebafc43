import type { Kysely } from 'kysely';

type Tables = {
  identities: { id: string; name: string; is_handed_over: boolean; created_at: Date };
  identity_addresses: { address_hash: string; email: string; identity_id: string; proved_at: Date };
};
type Db = Kysely<Tables>;

export type Identity = { id: string; name: string; is_handed_over: boolean };

/** Stores an identity; the transaction presents its hash. */
export async function insertIdentity(db: Db, identity: Identity & { at: Date }): Promise<void> {
  const { at, ...row } = identity;
  await db
    .insertInto('identities')
    .values({ ...row, created_at: at })
    .execute();
}

/** An identity that the transaction presents. */
export async function findIdentity(db: Db, id: string): Promise<Identity | undefined> {
  return db.selectFrom('identities').select(['id', 'name', 'is_handed_over']).where('id', '=', id).executeTakeFirst();
}

/** From here on the identity belongs to the person who proved its address. */
export async function takeOver(db: Db, id: string): Promise<void> {
  await db.updateTable('identities').set({ is_handed_over: false }).where('id', '=', id).execute();
}

/** The identity that has proved an address, for a transaction that presents the address. */
export async function findPresentedIdentity(db: Db, addressHash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity_addresses')
    .select('identity_id')
    .where('address_hash', '=', addressHash)
    .executeTakeFirst();
  return row?.identity_id;
}

/** The addresses that an identity has proved. */
export async function listProvedAddresses(db: Db, identityId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_addresses')
    .select('email')
    .where('identity_id', '=', identityId)
    .orderBy('proved_at')
    .execute();
  return rows.map(({ email }) => email);
}

/** Stores that an identity has proved an address. An address that another identity has proved stays with that one. */
export async function insertAddress(db: Db, address: { email: string; identityId: string; at: Date }): Promise<void> {
  const row = { email: address.email.toLowerCase(), identity_id: address.identityId, proved_at: address.at };
  await db
    .insertInto('identity_addresses')
    .values(row as typeof row & { address_hash: string }) // the database computes it
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Gives an identity another name, for a transaction that presents it. */
export async function renameIdentity(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('identities').set({ name }).where('id', '=', id).execute();
}

/** Removes a proved address of an identity; all of them by default. */
export async function removeAddress(db: Db, identityId: string, email?: string): Promise<void> {
  await db
    .deleteFrom('identity_addresses')
    .where('identity_id', '=', identityId)
    .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
    .execute();
}
