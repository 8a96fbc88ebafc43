// The tokens of connectors. The connectors themselves belong to the ingest module.
import { sql, type Kysely } from 'kysely';

type TokenRow = {
  id: string;
  workspace_id: string;
  token_hash: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  /** The key that made it; null: a person did. */
  made_by_key: string | null;
};
type ConnectorRow = { id: string; workspace_id: string; person_id: string; name: string; brain_id: string };
type Tables = { webhook_tokens: TokenRow; connectors: ConnectorRow };

export type NewWebhookToken = Omit<TokenRow, 'last_used_at'>;

export async function insertWebhookToken(db: Kysely<Tables>, token: NewWebhookToken): Promise<void> {
  await db
    .insertInto('webhook_tokens')
    .values({ ...token, last_used_at: null })
    .execute();
}

/** Ends the tokens of connectors that these keys made. Returns how many. */
export async function dropTokensOfKeys(db: Kysely<Tables>, keyIds: readonly string[]): Promise<number> {
  const dropped = await db.deleteFrom('webhook_tokens').where('made_by_key', 'in', keyIds).returning('id').execute();
  return dropped.length;
}

/** The data of these connectors' tokens for lists, by connector. */
export async function listWebhookTokens(
  db: Kysely<Tables>,
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

/** The connector whose token has this hash. The token is visible because its hash is presented, and names the workspace. */
export async function findConnectorByHash(db: Kysely<Tables>, hash: string): Promise<ConnectorRow | undefined> {
  const token = await db
    .selectFrom('webhook_tokens')
    .select(['id', 'workspace_id'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  if (!token) return undefined;
  await sql`select set_config('thalamus.workspace_id', ${token.workspace_id}, true)`.execute(db);
  return db
    .selectFrom('connectors')
    .select(['id', 'workspace_id', 'person_id', 'name', 'brain_id'])
    .where('id', '=', token.id)
    .executeTakeFirst();
}

export async function touchWebhookToken(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('webhook_tokens').set({ last_used_at: at }).where('id', '=', id).execute();
}
