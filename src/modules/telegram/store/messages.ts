// The results of messages, and the replies still to be sent.
import type { Generated, Kysely, Selectable } from 'kysely';

type MemoryRow = {
  memory_id: string;
  workspace_id: string;
  link_id: string;
  message_id: number;
  stored_at: Date;
  taken_back_at: Date | null;
};
type ReplyRow = {
  id: string;
  workspace_id: string;
  connection_id: string;
  position: Generated<number>;
  chat_id: number;
  reply_to: number | null;
  /** The text; for an answer to a pressed button as plain text. */
  html: string;
  /** The draft that it shows to the person. */
  draft_id: string | null;
  /** The pressed button that it answers. */
  query_id: string | null;
  is_alert: boolean;
  attempts: number;
  created_at: Date;
};
export type WaitingReply = Selectable<ReplyRow>;
type Tables = { telegram_memories: MemoryRow; telegram_replies: ReplyRow };
type Db = Kysely<Tables>;

type StoredNote = { memoryId: string; workspaceId: string; linkId: string; messageId: number; at: Date };

export async function noteMemory(db: Db, { memoryId, workspaceId, linkId, messageId, at }: StoredNote): Promise<void> {
  await db
    .insertInto('telegram_memories')
    .values({
      memory_id: memoryId,
      workspace_id: workspaceId,
      link_id: linkId,
      message_id: messageId,
      stored_at: at,
      taken_back_at: null,
    })
    .execute();
}

/** Live memories of a message, in the order in which they were stored. */
export async function listMessageMemories(db: Db, linkId: string, messageId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('telegram_memories')
    .select('memory_id')
    .where('link_id', '=', linkId)
    .where('message_id', '=', messageId)
    .where('taken_back_at', 'is', null)
    .orderBy('memory_id')
    .execute();
  return rows.map((row) => row.memory_id);
}

/** The last live memory of a phone's messages. */
export async function findLastMemory(db: Db, linkId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('telegram_memories')
    .select('memory_id')
    .where('link_id', '=', linkId)
    .where('taken_back_at', 'is', null)
    .orderBy('stored_at', 'desc')
    .orderBy('memory_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.memory_id;
}

export async function noteTakenBack(db: Db, memoryId: string, at: Date): Promise<void> {
  await db.updateTable('telegram_memories').set({ taken_back_at: at }).where('memory_id', '=', memoryId).execute();
}

type NewReply = Omit<ReplyRow, 'position' | 'attempts' | 'draft_id' | 'query_id' | 'is_alert'> &
  Partial<Pick<ReplyRow, 'draft_id' | 'query_id' | 'is_alert'>>;

export async function queueReplies(db: Db, replies: readonly NewReply[]): Promise<void> {
  if (!replies.length) return;
  await db
    .insertInto('telegram_replies')
    .values(replies.map((reply) => ({ draft_id: null, query_id: null, is_alert: false, ...reply, attempts: 0 })))
    .execute();
}

/** The messages that a bot must still send, in order. */
export async function listWaitingReplies(db: Db, connectionId: string): Promise<WaitingReply[]> {
  return db
    .selectFrom('telegram_replies')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .orderBy('position')
    .execute();
}

export async function noteAttempt(db: Db, id: string): Promise<void> {
  await db
    .updateTable('telegram_replies')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function dropReply(db: Db, id: string): Promise<void> {
  await db.deleteFrom('telegram_replies').where('id', '=', id).execute();
}
