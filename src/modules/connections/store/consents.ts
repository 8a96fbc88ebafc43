import type { Kysely } from 'kysely';

/** The kind of a pending consent or of stored consent data. */
export type ConsentKind = 'account' | 'sign_in' | 'bundle' | 'playground' | 'playground_result';

export type ConsentRow = {
  id: string;
  workspace_id: string;
  kind: ConsentKind;
  link_id: string | null;
  sealed: string;
};
type Db = Kysely<{ consents: ConsentRow }>;

/** Stores a pending consent. It replaces an earlier one of the same variable link. */
export async function insertConsent(db: Db, consent: ConsentRow): Promise<void> {
  if (consent.link_id) await db.deleteFrom('consents').where('link_id', '=', consent.link_id).execute();
  await db.insertInto('consents').values(consent).execute();
}

/** Deletes a consent. */
export async function removeConsent(db: Db, id: string): Promise<ConsentRow | undefined> {
  return db.deleteFrom('consents').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Deletes the oldest pending consents of a kind beyond a limit. */
export async function dropOldestConsents(db: Db, kind: ConsentKind, most: number): Promise<void> {
  await db
    .deleteFrom('consents')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('consents as each')
        .select('each.id')
        .where('each.kind', '=', kind)
        .orderBy('each.id', 'desc')
        .offset(most),
    )
    .execute();
}
