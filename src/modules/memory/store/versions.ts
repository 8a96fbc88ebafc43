import { sql } from 'kysely';
import type { Db, MemoryRow, Tables } from './tables.ts';

type Correction = Pick<MemoryRow, 'content' | 'type' | 'salience' | 'topics' | 'triggers'>;
export type Version = Omit<Tables['memory_versions'], 'memory_id' | 'workspace_id' | 'replaced_by'> & {
  person_name: string | null;
};

/** Gives a locked memory new words and keeps the former ones. Returns the number of the former version. */
export async function correct(
  db: Db,
  memory: MemoryRow,
  { triggers, ...correction }: Correction,
  by: { personId: string; label: string; at: Date; reason: string | null },
): Promise<number> {
  const { version } = await db
    .insertInto('memory_versions')
    .values({
      memory_id: memory.id,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from memory_versions where memory_id = ${memory.id})`,
      workspace_id: memory.workspace_id,
      content: memory.content,
      type: memory.type,
      salience: memory.salience,
      topics: memory.topics,
      triggers: toTriggersJson(memory.triggers),
      replaced_at: by.at,
      replaced_by_label: by.label,
      replaced_by: by.personId,
      reason: by.reason,
    })
    .returning('version')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('memories')
    .set({ ...correction, triggers: toTriggersJson(triggers) })
    .where('id', '=', memory.id)
    .execute();
  return version;
}

function toTriggersJson(triggers: MemoryRow['triggers']) {
  return sql<MemoryRow['triggers']>`${JSON.stringify(triggers)}::jsonb`;
}

/** The former versions of a memory, latest first. */
export async function listVersions(db: Db, memoryId: string): Promise<Version[]> {
  return db
    .selectFrom('memory_versions')
    .select([
      'version',
      'content',
      'type',
      'salience',
      'topics',
      'triggers',
      'replaced_at',
      'replaced_by_label',
      'reason',
      sql<string | null>`(select name from people_directory where id = replaced_by)`.as('person_name'),
    ])
    .where('memory_id', '=', memoryId)
    .orderBy('version', 'desc')
    .limit(50)
    .execute();
}
