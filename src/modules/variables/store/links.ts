import { sql, type Kysely } from 'kysely';
import type { ConsentPlan } from '../consent-plan.ts';
import type { Tier } from '../tiers.ts';

/** One value that a link asks for. */
export type LinkField = {
  name: string;
  label: string;
  description: string;
  inputType: string;
  placements?: string[];
  hosts: string[];
  /** False: where it may go follows from the consent, and is not asked. */
  asksHosts: boolean;
};

export type LinkRow = {
  id: string;
  workspace_id: string;
  token_hash: string;
  scope: Tier;
  scope_id: string;
  brain_id: string | null;
  label: string;
  fields: LinkField[];
  consent: ConsentPlan | null;
  created_by: string;
  created_by_label: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};
type ConsentRow = {
  id: string;
  workspace_id: string;
  link_id: string | null;
  person_id: string | null;
  state_hash: string | null;
  bound_hash: string;
  sealed: string;
  created_at: Date;
  expires_at: Date;
};
type Tables = { variable_links: LinkRow; variable_consents: ConsentRow };
type Db = Kysely<Tables>;

export async function insertLink(db: Db, link: LinkRow): Promise<void> {
  const json = (value: unknown) => sql<never>`${JSON.stringify(value)}::jsonb`;
  await db
    .insertInto('variable_links')
    .values({ ...link, fields: json(link.fields), consent: link.consent && json(link.consent) })
    .execute();
}

/** The link with this hash, whatever its state; visible because its hash is presented. */
export async function findLink(db: Db, tokenHash: string): Promise<LinkRow | undefined> {
  return db.selectFrom('variable_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
}

/** Uses a link up. False when it was used or has expired: of two at once one gets it. */
export async function consumeLink(db: Db, id: string, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('variable_links')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Begins a consent; another one of the same link is given up. */
export async function insertConsent(db: Db, consent: ConsentRow): Promise<void> {
  await db.deleteFrom('variable_consents').where('link_id', '=', consent.link_id).execute();
  await db.insertInto('variable_consents').values(consent).execute();
}

export async function findConsentByState(db: Db, stateHash: string): Promise<ConsentRow | undefined> {
  return db.selectFrom('variable_consents').selectAll().where('state_hash', '=', stateHash).executeTakeFirst();
}

/** Takes the state of a consent away, so that it is finished once, by the browser that began it. */
export async function takeConsent(
  db: Db,
  stateHash: string,
  boundHash: string,
  at: Date,
): Promise<ConsentRow | undefined> {
  return db
    .updateTable('variable_consents')
    .set({ state_hash: null })
    .where('state_hash', '=', stateHash)
    .where('bound_hash', '=', boundHash)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps what a finished consent brought until the person says where it goes. */
export async function keepConsent(db: Db, id: string, sealed: string): Promise<void> {
  await db.updateTable('variable_consents').set({ sealed }).where('id', '=', id).execute();
}

/** Takes a finished consent away, for its person in the same browser. */
export async function removeKeptConsent(
  db: Db,
  { id, personId, boundHash, at }: { id: string; personId: string; boundHash: string; at: Date },
): Promise<ConsentRow | undefined> {
  return db
    .deleteFrom('variable_consents')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .where('bound_hash', '=', boundHash)
    .where('state_hash', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteConsent(db: Db, id: string): Promise<void> {
  await db.deleteFrom('variable_consents').where('id', '=', id).execute();
}

/** Forgets links and consents that ended before this time. */
export async function dropEndedVariableLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('variable_consents').where('expires_at', '<', before).execute();
  await db.deleteFrom('variable_links').where('expires_at', '<', before).execute();
}
