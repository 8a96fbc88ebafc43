import type { Kysely } from 'kysely';

export type StateRow = {
  id: string;
  workspace_id: string;
  state_hash: string;
  person_id: string;
  session_id: string;
  provider: string;
  source: string;
  code_verifier: string;
  scopes: string[];
  is_shared: boolean;
  return_to: string;
  created_at: Date;
  expires_at: Date;
};
type Db = Kysely<{ oauth_states: StateRow }>;

export async function insertState(db: Db, state: StateRow): Promise<void> {
  await db.insertInto('oauth_states').values(state).execute();
}

/** Takes a state away, so that it works once. Undefined when it is unknown, expired or of another browser session. */
export async function takeState(db: Db, stateHash: string, sessionId: string, at: Date): Promise<StateRow | undefined> {
  return db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', stateHash)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

export async function dropExpiredStates(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('oauth_states').where('expires_at', '<', at).execute();
}
