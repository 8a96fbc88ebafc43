// The tokens with which connectors send.
import type { Kysely } from 'kysely';

type TokenRow = {
  id: string;
  workspace_id: string;
  token_hash: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  /** The key that created it; null: a person did. */
  made_by_key: string | null;
};
type Db = Kysely<{ webhook_tokens: TokenRow }>;

export type NewToken = Omit<TokenRow, 'last_used_at'>;

export async function insertToken(db: Db, token: NewToken): Promise<void> {
  await db
    .insertInto('webhook_tokens')
    .values({ ...token, last_used_at: null })
    .execute();
}

/** Ends the tokens of connectors that these keys created. Returns how many. */
export async function dropTokensOfKeys(db: Db, keyIds: readonly string[]): Promise<number> {
  const dropped = await db.deleteFrom('webhook_tokens').where('made_by_key', 'in', keyIds).returning('id').execute();
  return dropped.length;
}

/** The data of these connectors' tokens for lists, by connector. */
export async function listTokens(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Pick<TokenRow, 'prefix' | 'last_used_at'>>> {
  if (!ids.length) return new Map();
  const rows = await db
    .selectFrom('webhook_tokens')
    .select(['id', 'prefix', 'last_used_at'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** The token with this hash, which makes it visible to the transaction. Its id is that of its connector. */
export async function findTokenByHash(
  db: Db,
  hash: string,
): Promise<Pick<TokenRow, 'id' | 'workspace_id'> | undefined> {
  return db
    .selectFrom('webhook_tokens')
    .select(['id', 'workspace_id'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

export async function touchToken(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('webhook_tokens').set({ last_used_at: at }).where('id', '=', id).execute();
}
