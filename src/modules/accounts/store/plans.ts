import type { Kysely } from 'kysely';

type Tables = { workspaces: { id: string; plan: string } };

export async function readPlan(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  return (await selectPlan(db, workspaceId).executeTakeFirstOrThrow()).plan;
}

/** Serializes transactions that use the plan's limits; others may still store items in the workspace. */
export async function lockPlan(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await selectPlan(db, workspaceId).forNoKeyUpdate().execute();
}

function selectPlan(db: Kysely<Tables>, workspaceId: string) {
  return db.selectFrom('workspaces').select('plan').where('id', '=', workspaceId);
}
