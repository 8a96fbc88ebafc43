import type { Kysely } from 'kysely';

type Tables = { memories: { brain_id: string; archived_at: Date | null } };

/** How many memories each brain holds that were not archived. */
export async function countLiveMemories(
  db: Kysely<Tables>,
  brainIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (!brainIds.length) return new Map();
  const rows = await db
    .selectFrom('memories')
    .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('brain_id', 'in', brainIds)
    .where('archived_at', 'is', null)
    .groupBy('brain_id')
    .execute();
  return new Map(rows.map((row) => [row.brain_id, row.count]));
}
