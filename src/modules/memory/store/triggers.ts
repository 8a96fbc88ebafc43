import { sql } from 'kysely';
import type { Trigger } from '../memory-fields.ts';
import { parseAlternatives } from '../rules/trigger-words.ts';
import type { Db } from './tables.ts';

type TriggeredMemory = { id: string; workspace_id: string; brain_id: string; triggers: readonly Trigger[] };

const rowsAtOnce = 1_000;

/** Makes the triggers of memories findable by their words. */
export async function insertTriggerWords(db: Db, memories: readonly TriggeredMemory[]): Promise<void> {
  const rows = memories.flatMap((memory) =>
    memory.triggers.flatMap(({ condition }, position) =>
      parseAlternatives(condition).flatMap(({ stems, needed, words }, alternative) =>
        words.map((word) => ({
          memory_id: memory.id,
          position,
          alternative,
          word,
          workspace_id: memory.workspace_id,
          brain_id: memory.brain_id,
          stems,
          needed,
        })),
      ),
    ),
  );
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await db
      .insertInto('memory_trigger_words')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The same for a memory whose triggers or brain changed. */
export async function replaceTriggerWords(db: Db, memory: TriggeredMemory): Promise<void> {
  await db.deleteFrom('memory_trigger_words').where('memory_id', '=', memory.id).execute();
  await insertTriggerWords(db, [memory]);
}

/** The most triggers that are read, so that a word with thousands of triggers does not slow the query. */
const mostCandidates = 300;

/** Triggers of live memories that may match a text with these stems; those of the newest memories first. */
export async function findTriggers(
  db: Db,
  brainIds: readonly string[],
  stems: readonly string[],
): Promise<{ memory_id: string; position: number; stems: string[]; needed: number }[]> {
  if (!brainIds.length || !stems.length) return [];
  return db
    .selectFrom('memory_trigger_words as words')
    .select(['words.memory_id', 'words.position', 'words.stems', 'words.needed'])
    .where('words.word', 'in', stems)
    .where('words.brain_id', 'in', brainIds)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memories')
          .select('memories.id')
          .whereRef('memories.id', '=', 'words.memory_id')
          .where('memories.archived_at', 'is', null),
      ),
    )
    .orderBy('words.memory_id', 'desc')
    .orderBy('words.position')
    .limit(mostCandidates)
    .execute();
}

/** Memories whose triggers are older than the index by words. */
export async function listTriggersWithoutWords(db: Db, limit: number): Promise<TriggeredMemory[]> {
  return db
    .selectFrom('memories')
    .select(['id', 'workspace_id', 'brain_id', 'triggers'])
    .where('archived_at', 'is', null)
    .where(sql<boolean>`triggers <> '[]'::jsonb`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memory_trigger_words')
            .select('word')
            .whereRef('memory_trigger_words.memory_id', '=', 'memories.id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
}
