import { sql, type Kysely } from 'kysely';

export type TokenKind = 'code' | 'access' | 'refresh';
type TokenRow = {
  token_hash: string;
  workspace_id: string;
  grant_id: string;
  kind: TokenKind;
  payload: Record<string, unknown>;
  parent_hash: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  answered_at: Date | null;
};
type Tables = { oauth_tokens: TokenRow };

/** Two concurrent requests with one code come from one client that asks twice, not from a thief. */
const sameMoment = sql`interval '30 seconds'`;
/** How long after its use a token is served again, because the answer may have been lost. */
const grace = sql`interval '60 seconds'`;
/** A server that was killed has not answered by then; a running server has. */
const answerTime = sql`interval '1 second'`;

/** How a presented code or refresh token is handled. `served_again`: its first answer may never have arrived. */
export type TokenState = 'fresh' | 'served_again' | 'used_just_now' | 'used';
export type FoundToken = Pick<TokenRow, 'workspace_id' | 'grant_id' | 'payload' | 'expires_at'> & { state: TokenState };

/** The owner of this token, visible because its hash is presented. */
export async function findTokenOwner(
  db: Kysely<Tables>,
  hash: string,
  kind: TokenKind,
): Promise<Pick<TokenRow, 'workspace_id' | 'grant_id' | 'expires_at'> | undefined> {
  return db
    .selectFrom('oauth_tokens')
    .select(['workspace_id', 'grant_id', 'expires_at'])
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** An access token, with the scopes that it was issued for; its hash is presented. */
export async function findAccessToken(
  db: Kysely<Tables>,
  hash: string,
): Promise<(Pick<TokenRow, 'workspace_id' | 'grant_id' | 'expires_at'> & { scope: string }) | undefined> {
  return db
    .selectFrom('oauth_tokens')
    .select(['workspace_id', 'grant_id', 'expires_at'])
    .select(sql<string>`coalesce(payload ->> 'scope', '')`.as('scope'))
    .where('token_hash', '=', hash)
    .where('kind', '=', 'access')
    .executeTakeFirst();
}

/** A token with its state, by the clock of the database. */
export async function findToken(db: Kysely<Tables>, hash: string, kind: TokenKind): Promise<FoundToken | undefined> {
  return db
    .selectFrom('oauth_tokens')
    .select(['workspace_id', 'grant_id', 'payload', 'expires_at'])
    .select(kind === 'refresh' ? refreshState : codeState)
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

const codeState = sql<TokenState>`case
  when used_at is null then 'fresh'
  when answered_at is null and clock_timestamp() between used_at + ${answerTime} and used_at + ${grace} then 'served_again'
  when clock_timestamp() < used_at + ${sameMoment} then 'used_just_now'
  else 'used' end`.as('state');

const refreshState = sql<TokenState>`case
  when used_at is null then 'fresh'
  when clock_timestamp() < used_at + ${grace} and not exists (
    select from oauth_tokens as child where child.parent_hash = oauth_tokens.token_hash and child.used_at is not null)
  then 'served_again'
  else 'used' end`.as('state');

/** Uses up a code or refresh token, in one statement: of concurrent calls one gets true. */
export async function useToken(db: Kysely<Tables>, hash: string, kind: TokenKind): Promise<boolean> {
  const mayRepeat =
    kind === 'refresh'
      ? sql<boolean>`clock_timestamp() < used_at + ${grace}`
      : sql<boolean>`answered_at is null and clock_timestamp() between used_at + ${answerTime} and used_at + ${grace}`;
  const used = await db
    .updateTable('oauth_tokens')
    .set({ used_at: kind === 'refresh' ? sql`coalesce(used_at, clock_timestamp())` : sql`clock_timestamp()` })
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('used_at', 'is', null), mayRepeat]))
    .returning('grant_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Stores that the answer to a code was sent: it is never served again. */
export async function markAnswered(db: Kysely<Tables>, hash: string): Promise<void> {
  await db
    .updateTable('oauth_tokens')
    .set({ answered_at: sql`clock_timestamp()` })
    .where('token_hash', '=', hash)
    .execute();
}

type NewToken = Pick<TokenRow, 'token_hash' | 'workspace_id' | 'grant_id' | 'kind' | 'payload' | 'parent_hash'>;

export async function insertToken(db: Kysely<Tables>, token: NewToken, livesSeconds: number): Promise<void> {
  await db
    .insertInto('oauth_tokens')
    .values({
      ...token,
      payload: sql`${JSON.stringify(token.payload)}::jsonb`,
      created_at: sql`clock_timestamp()`,
      expires_at: sql`clock_timestamp() + ${livesSeconds} * interval '1 second'`,
      used_at: null,
      answered_at: null,
    })
    .execute();
}

/** Deletes the access and refresh tokens of a grant, before it gets others for the same code. */
export async function dropGrantTokens(db: Kysely<Tables>, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('grant_id', '=', grantId).where('kind', '<>', 'code').execute();
}

export async function dropToken(db: Kysely<Tables>, hash: string): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('token_hash', '=', hash).execute();
}

export async function dropExpiredTokens(db: Kysely<Tables>, at: Date): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('expires_at', '<', at).execute();
}
