import { sql, type Kysely } from 'kysely';

export type SessionRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  identity_id: string;
  token_hash: string;
  /** The hash of its second secret; sessions from before this column have none. */
  proof_hash: string | null;
  is_human_surface: boolean;
  /** The key whose link opened it; the session ends with that key. */
  made_by_key: string | null;
  user_agent: string | null;
  /** Whether the operator's terminal showed the link that opened it. */
  by_operator: boolean;
  method: SignInMethod | null;
  proved_at: Date | null;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};
/** How a session was opened; sessions from before this column have none. */
export const signInMethods = ['link', 'mail', 'invitation', 'switch', 'password', 'passkey', 'provider'] as const;
export type SignInMethod = (typeof signInMethods)[number];

type Tables = {
  sessions: SessionRow;
  people: { id: string; name: string; removed_at: Date | null };
  keys: { id: string; label: string; revoked_at: Date | null; expires_at: Date | null };
};

export type OpenSession = Omit<
  SessionRow,
  'token_hash' | 'proof_hash' | 'by_operator' | 'identity_id' | 'proved_at'
> & {
  person_name: string;
  key_label: string | null;
};

/** The common fields of a link and the session that it opens. */
export type Grant = {
  id: string;
  workspaceId: string;
  isHumanSurface: boolean;
  madeByKey: string | null;
  byOperator: boolean;
  at: Date;
};

type NewSessionRow = Grant & {
  personId: string;
  identityId: string;
  tokenHash: string;
  proofHash: string;
  expiresAt: Date;
  userAgent: string | null;
  method: SignInMethod;
  provedAt: Date | null;
};

export async function insertSession(db: Kysely<Tables>, session: NewSessionRow): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      ...toGrantColumns(session),
      person_id: session.personId,
      identity_id: session.identityId,
      method: session.method,
      proved_at: session.provedAt,
      token_hash: session.tokenHash,
      proof_hash: session.proofHash,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

export async function findSessionByHash(db: Kysely<Tables>, tokenHash: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
}

/** Gives an open session another second secret. False: there is no such session with this cookie. */
export async function replaceProof(
  db: Kysely<Tables>,
  session: { id: string; tokenHash: string; proofHash: string; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set({ proof_hash: session.proofHash })
    .where('id', '=', session.id)
    .where('token_hash', '=', session.tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', session.at)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether a session is open at this time. For a session in another workspace, the transaction presents its identity.
 */
export async function isSessionOpen(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return row !== undefined;
}

/** Like `isSessionOpen`, and locks the session until the transaction ends. */
export async function lockOpenSession(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('id').where('id', '=', id).forShare().executeTakeFirst();
  return row !== undefined && isSessionOpen(db, id, at);
}

/** The key whose link opened a session; null when a person signed in otherwise. */
export async function findSessionKeyId(db: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('made_by_key').where('id', '=', id).executeTakeFirst();
  return row?.made_by_key ?? null;
}

/** Sessions of the workspace that are open at this time: of one person, or for null of everybody. Newest first. */
export async function listSessions(db: Kysely<Tables>, personId: string | null, at: Date): Promise<OpenSession[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .leftJoin('keys', 'keys.id', 'sessions.made_by_key')
    .select([
      'sessions.id',
      'sessions.workspace_id',
      'sessions.person_id',
      'sessions.is_human_surface',
      'sessions.made_by_key',
      'sessions.user_agent',
      'sessions.method',
      'sessions.created_at',
      'sessions.expires_at',
      'sessions.last_used_at',
      'sessions.revoked_at',
      'people.name as person_name',
      'keys.label as key_label',
    ])
    .where(sql<boolean>`sessions.workspace_id = current_workspace()`)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', at)
    .where('keys.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('keys.expires_at', 'is', null), eb('keys.expires_at', '>', at)]))
    .$if(personId !== null, (query) => query.where('sessions.person_id', '=', personId))
    .orderBy('sessions.created_at', 'desc')
    .limit(500)
    .execute();
}

/** Sessions of an identity that are open in other workspaces, for a transaction that presents it. Newest first. */
export async function listSessionsElsewhere(db: Kysely<Tables>, identityId: string, at: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('identity_id', '=', identityId)
    .where(sql<boolean>`workspace_id <> current_workspace()`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .limit(500)
    .execute();
}

/** Those of the ids that are sessions of an identity, in any workspace. */
export async function locateIdentitySessions(
  db: Kysely<Tables>,
  ids: readonly string[],
  identityId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('identity_id', '=', identityId)
    .execute();
  return rows.map((row) => row.id);
}

/** The workspace in which an identity was last at the console, for a transaction that presents it. */
export async function findLastWorkspaceId(db: Kysely<Tables>, identityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select('sessions.workspace_id')
    .where('sessions.identity_id', '=', identityId)
    .where('people.removed_at', 'is', null)
    .orderBy(sql`coalesce(last_used_at, sessions.created_at)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** When the person of a session last proved who they are; null: never, or there is no such session. */
export async function findSessionProofTime(db: Kysely<Tables>, id: string): Promise<Date | null> {
  const row = await db.selectFrom('sessions').select('proved_at').where('id', '=', id).executeTakeFirst();
  return row?.proved_at ?? null;
}

/** Whether the operator's terminal showed the link that opened a session. */
export async function isByOperator(db: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('by_operator').where('id', '=', id).executeTakeFirst();
  return row?.by_operator ?? false;
}

export async function noteProof(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ proved_at: at }).where('id', '=', id).execute();
}

/** Those of the ids that are sessions of the person, or for null of anybody. */
export async function locateSessions(
  db: Kysely<Tables>,
  ids: readonly string[],
  personId: string | null,
): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', ids)
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .execute();
  return rows.map((row) => row.id);
}

export async function touchSession(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute();
}

export async function revokeSession(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends all sessions of a person. */
export async function revokeSessionsOfPerson(db: Kysely<Tables>, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends all sessions of an identity except one, in every workspace, for a transaction that presents it. */
export async function revokeSessionsOfIdentity(
  db: Kysely<Tables>,
  identityId: string,
  at: Date,
  but: string | null = null,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('identity_id', '=', identityId)
    .where('revoked_at', 'is', null)
    .$if(but !== null, (query) => query.where('id', '!=', but))
    .execute();
}

/** Ends the sessions that links of these keys opened. Returns how many were open. */
export async function revokeSessionsOfKeys(db: Kysely<Tables>, keyIds: readonly string[], at: Date): Promise<number> {
  const revoked = await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('made_by_key', 'in', keyIds)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .execute();
  return revoked.length;
}

/** The columns that a link and a session share. */
export function toGrantColumns(grant: Grant) {
  return {
    id: grant.id,
    workspace_id: grant.workspaceId,
    is_human_surface: grant.isHumanSurface,
    made_by_key: grant.madeByKey,
    by_operator: grant.byOperator,
    created_at: grant.at,
  };
}
