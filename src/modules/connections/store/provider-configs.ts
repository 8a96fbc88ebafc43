import type { Kysely } from 'kysely';
import type { OAuthFacts } from '#kernel/provider';

/** A workspace's OAuth client at a provider. A custom provider has addresses, too. */
export type ConfigRow = {
  workspace_id: string;
  provider: string;
  /** Null: the provider is described, but has no client yet. */
  client_id: string | null;
  /** Null for a public client. */
  client_secret: string | null;
  label: string | null;
  authorization_url: string | null;
  token_url: string | null;
  token_auth_method: OAuthFacts['tokenAuthMethod'] | null;
  userinfo_url: string | null;
  revocation_url: string | null;
  scopes: string[];
  api_hosts: string[];
  authorization_params: Record<string, string>;
  token_params: Record<string, string>;
  created_at: Date;
  /** When its client was last set. */
  configured_at: Date | null;
  updated_by: string;
  updated_at: Date;
};
type Db = Kysely<{ provider_configs: ConfigRow }>;

export async function findProviderConfig(db: Db, provider: string): Promise<ConfigRow | undefined> {
  return db.selectFrom('provider_configs').selectAll().where('provider', '=', provider).executeTakeFirst();
}

/** As `findProviderConfig`, with a row lock. */
export async function lockProviderConfig(db: Db, provider: string): Promise<ConfigRow | undefined> {
  return db.selectFrom('provider_configs').selectAll().where('provider', '=', provider).forUpdate().executeTakeFirst();
}

export async function listProviderConfigs(db: Db): Promise<ConfigRow[]> {
  return db.selectFrom('provider_configs').selectAll().orderBy('provider').execute();
}

export async function upsertProviderConfig(db: Db, config: ConfigRow): Promise<void> {
  await db
    .insertInto('provider_configs')
    .values(config)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider']).doUpdateSet(config))
    .execute();
}

export async function deleteProviderConfig(db: Db, provider: string): Promise<void> {
  await db.deleteFrom('provider_configs').where('provider', '=', provider).execute();
}
