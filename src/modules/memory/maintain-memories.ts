import type { Db } from '#kernel/database';
import { dropSessionRecalls } from './store/recalls.ts';
import { insertTriggerWords, listTriggersWithoutWords } from './store/triggers.ts';

const sessionRecallsKeptMs = 14 * 24 * 60 * 60 * 1000;
const triggersAtOnce = 500;

/** Hourly work in a workspace: deletes recalls of old sessions, and indexes old triggers. */
export async function maintainMemories(db: Db, now: Date): Promise<void> {
  await dropSessionRecalls(db, new Date(now.getTime() - sessionRecallsKeptMs));
  await insertTriggerWords(db, await listTriggersWithoutWords(db, triggersAtOnce));
}
