import type { Db } from '#kernel/database';
import { dropSessionRecalls } from './store/recalls.ts';
import { insertTriggerWords, listTriggersWithoutWords } from './store/triggers.ts';

const sessionRecallsKeptMs = 14 * 24 * 60 * 60 * 1000;
const triggersAtOnce = 500;

/** What has to be done once an hour in a workspace: old sessions forget what they recalled, old triggers become findable. */
export async function tendMemories(db: Db, now: Date): Promise<void> {
  await dropSessionRecalls(db, new Date(now.getTime() - sessionRecallsKeptMs));
  await insertTriggerWords(db, await listTriggersWithoutWords(db, triggersAtOnce));
}
