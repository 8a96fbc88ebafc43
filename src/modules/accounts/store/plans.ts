import type { Kysely } from 'kysely';

type Tables = { workspaces: { id: string; plan: string } };

export async function readPlan(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  return (await planOf(db, workspaceId).executeTakeFirstOrThrow()).plan;
}

/** Lets one transaction at a time use the plan's limits; others may still store items in the workspace. */
export async function holdPlan(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await planOf(db, workspaceId).forNoKeyUpdate().execute();
}

function planOf(db: Kysely<Tables>, workspaceId: string) {
  return db.selectFrom('workspaces').select('plan').where('id', '=', workspaceId);
}
