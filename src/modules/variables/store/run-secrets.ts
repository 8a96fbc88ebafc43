import type { Kysely } from 'kysely';
import type { BoundVariable } from '../bound-variable.ts';

/** A request for tokens: it names handles, and the variables behind them. */
export type TokenRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  variables: BoundVariable[];
};

export type RunSecretRow = {
  id: string;
  workspace_id: string;
  run_id: string;
  handle: string;
  value: string;
  hosts: string[];
  obtained: { request: TokenRequest; path: string[] };
  created_at: Date;
};
type Db = Kysely<{ run_secrets: RunSecretRow }>;

export async function insertRunSecret(db: Db, row: RunSecretRow): Promise<void> {
  await db
    .insertInto('run_secrets')
    .values({ ...row, obtained: JSON.stringify(row.obtained) as never }) // written as text, read as JSON
    .execute();
}

/** Those of these handles that belong to a run. */
export async function findRunSecrets(db: Db, runId: string, handles: readonly string[]): Promise<RunSecretRow[]> {
  if (!handles.length) return [];
  return db
    .selectFrom('run_secrets')
    .selectAll()
    .where('run_id', '=', runId)
    .where('handle', 'in', [...handles])
    .execute();
}

export async function countRunSecrets(db: Db, runId: string): Promise<number> {
  const { count } = await db
    .selectFrom('run_secrets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function deleteRunSecrets(db: Db, runId: string): Promise<void> {
  await db.deleteFrom('run_secrets').where('run_id', '=', runId).execute();
}

export async function deleteRunSecretsBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('run_secrets').where('created_at', '<', at).execute();
}
