// Links that sign somebody in; their secrets are one-time secrets.
import { endSelectedSecrets } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';
import { toGrantColumns, type Grant, type SessionRow } from './sessions.ts';

/** A link is for a person, or for an address whose owner joins through it. Its secret is a one-time secret. */
export type LinkRow = Pick<
  SessionRow,
  'id' | 'workspace_id' | 'is_human_surface' | 'made_by_key' | 'by_operator' | 'created_at'
> & {
  person_id: string | null;
  email: string | null;
  /** The session that created it; the link ends with that session. */
  made_by_session: string | null;
  mailed: boolean;
  proved_at: Date | null;
  signs_up: boolean;
  /** Whether it belongs to an invitation, and joins the workspace. */
  is_invitation: boolean;
};
type Tables = { sign_in_links: LinkRow };

/** The person of a link, or an address whose owner joins through it. */
export type Addressee = { personId: string } | { email: string };

export async function insertSignInLink(
  db: Kysely<Tables>,
  link: Grant &
    Addressee & {
      mailed: boolean;
      madeBySession: string | null;
      provedAt: Date | null;
      signsUp: boolean;
      isInvitation: boolean;
    },
): Promise<void> {
  const to = 'personId' in link ? { person_id: link.personId, email: null } : { person_id: null, email: link.email };
  const { mailed, madeBySession: made_by_session, provedAt: proved_at, signsUp: signs_up } = link;
  const is_invitation = link.isInvitation;
  const row = { ...toGrantColumns(link), ...to, mailed, made_by_session, proved_at, signs_up, is_invitation };
  await db.insertInto('sign_in_links').values(row).execute();
}

export async function findSignInLink(db: Kysely<Tables>, id: string): Promise<LinkRow | undefined> {
  return db.selectFrom('sign_in_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Removes a link that was never sent. */
export async function dropSignInLink(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('sign_in_links').where('id', '=', id).execute();
}

/** Whether a requested link was mailed to a person, or to an unknown address, after this time. */
export async function wasMailedSince(db: Kysely<Tables>, to: Addressee, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_links')
    .select('id')
    .where((eb) => ('personId' in to ? eb('person_id', '=', to.personId) : eb('email', '=', to.email)))
    .where('mailed', '=', true)
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the links that these keys created. */
export async function dropLinksOfKeys(db: Kysely<Tables>, keyIds: readonly string[]): Promise<void> {
  await endSelectedSecrets(db, sql`select id from sign_in_links where made_by_key = any(${keyIds}::uuid[])`);
}

/** Ends the links that would sign a person in. */
export async function dropLinksOfPerson(db: Kysely<Tables>, personId: string): Promise<void> {
  await endSelectedSecrets(db, sql`select id from sign_in_links where person_id = ${personId}`);
}

/** Ends the links with which an address could enter the bound workspace. */
export async function dropLinksOfAddress(db: Kysely<Tables>, email: string): Promise<void> {
  await endSelectedSecrets(db, sql`select id from sign_in_links where email = ${email.toLowerCase()}`);
}
