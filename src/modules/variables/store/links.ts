import { endSelectedOpenSecrets, endSelectedSecrets } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';
import type { ConsentPlan } from '../consents/consent-plan.ts';
import type { Tier } from '../tiers.ts';

/** One value that a link asks for. */
export type LinkField = {
  name: string;
  label: string;
  description: string;
  inputType: string;
  placements?: string[];
  hosts: string[];
  /** False: the consent determines where it may be sent, so the page does not ask. */
  asksHosts: boolean;
};

export type LinkRow = {
  id: string;
  workspace_id: string;
  scope: Tier;
  scope_id: string;
  brain_id: string | null;
  label: string;
  fields: LinkField[];
  consent: ConsentPlan | null;
  created_by: string;
  created_by_label: string;
  is_made_by_agent: boolean;
  /** Its creator's key; for a run, the key of its owner; null: a person created it, or it is unknown. */
  made_by_key: string | null;
  created_at: Date;
};
type Db = Kysely<{ variable_links: LinkRow }>;

export async function insertLink(db: Db, link: LinkRow): Promise<void> {
  const json = (value: unknown) => sql<never>`${JSON.stringify(value)}::jsonb`;
  await db
    .insertInto('variable_links')
    .values({ ...link, fields: json(link.fields), consent: link.consent && json(link.consent) })
    .execute();
}

export async function findLink(db: Db, id: string): Promise<LinkRow | undefined> {
  return db.selectFrom('variable_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Ends the open links that a person created. */
export async function endLinksOfPerson(db: Db, personId: string): Promise<void> {
  await endSelectedSecrets(db, sql`select id from variable_links where created_by = ${personId}`);
}

/** Ends the open links that keys created. Returns how many. */
export async function endLinksOfKeys(db: Db, keyIds: readonly string[]): Promise<number> {
  return endSelectedOpenSecrets(db, sql`select id from variable_links where made_by_key = any(${keyIds}::uuid[])`);
}
