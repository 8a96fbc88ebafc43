import { sql } from 'kysely';
import type { Trigger } from '../memory-fields.ts';
import type { Db } from './tables.ts';
import { insertTriggerWords } from './triggers.ts';

const memoriesAtOnce = 500;

/** Makes imported memories findable like those that were stored one by one: by equal text, and by triggers. */
export async function makeFindable(db: Db, brainIds: readonly string[]): Promise<void> {
  await sql`
    insert into memory_hashes (memory_id, workspace_id, brain_id, content_hash)
    select id, workspace_id, brain_id, hash_of_content(content) from memories where brain_id = any(${[...brainIds]}::uuid[])
    on conflict do nothing`.execute(db);
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; workspace_id: string; brain_id: string; triggers: Trigger[] }>`
      select id, workspace_id, brain_id, triggers from memories
       where brain_id = any(${[...brainIds]}::uuid[]) and archived_at is null and triggers <> '[]'::jsonb and id > ${after}::uuid
       order by id limit ${memoriesAtOnce}`.execute(db);
    await insertTriggerWords(db, rows);
    const last = rows.at(-1);
    if (!last || rows.length < memoriesAtOnce) return;
    after = last.id;
  }
}
