import type { ItemLocation } from '#kernel/resource';
import type { Kysely } from 'kysely';

export const turnRoles = ['user', 'assistant', 'other'] as const;

export type ChatRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  brain_id: string;
  session_id: string;
  client: string;
  title: string;
  summary: string;
  titled_by: 'rules' | 'model' | 'given';
  page_id: string | null;
  /** The identity of its pages; an import keeps it. */
  page_ref: string;
  turns: number;
  part: number;
  part_from: number;
  part_length: number;
  /** The number of turns when a model last wrote the title. */
  turns_told: number;
  started_at: Date;
  last_turn_at: Date;
};
export type TurnRow = {
  chat_id: string;
  position: number;
  workspace_id: string;
  role: (typeof turnRoles)[number];
  content: string;
  said_at: Date;
};
type StopRow = { person_id: string; workspace_id: string; stopped_at: Date };
type Tables = { chat_sessions: ChatRow; chat_turns: TurnRow; chat_capture_stops: StopRow };
type Db = Kysely<Tables>;

export type NewChat = Pick<
  ChatRow,
  'id' | 'workspace_id' | 'person_id' | 'brain_id' | 'session_id' | 'client' | 'started_at'
>;

/** The conversation of a session, created if needed, with a row lock. */
export async function openChat(db: Db, chat: NewChat): Promise<ChatRow> {
  await db
    .insertInto('chat_sessions')
    .values({
      id: chat.id,
      workspace_id: chat.workspace_id,
      person_id: chat.person_id,
      brain_id: chat.brain_id,
      session_id: chat.session_id,
      client: chat.client,
      started_at: chat.started_at,
      title: '',
      summary: '',
      titled_by: 'rules',
      page_id: null,
      page_ref: chat.id,
      turns: 0,
      part: 1,
      part_from: 0,
      part_length: 0,
      turns_told: 0,
      last_turn_at: chat.started_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('chat_sessions')
    .selectAll()
    .where('person_id', '=', chat.person_id)
    .where('brain_id', '=', chat.brain_id)
    .where('session_id', '=', chat.session_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateChat(db: Db, id: string, change: Partial<ChatRow>): Promise<void> {
  await db.updateTable('chat_sessions').set(change).where('id', '=', id).execute();
}

export async function insertTurn(db: Db, turn: TurnRow): Promise<void> {
  await db.insertInto('chat_turns').values(turn).execute();
}

export async function findLastTurn(db: Db, chatId: string): Promise<TurnRow | undefined> {
  return db
    .selectFrom('chat_turns')
    .selectAll()
    .where('chat_id', '=', chatId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Turns from a position on, oldest first. */
export async function listTurns(db: Db, chatId: string, from: number, limit = 5_000): Promise<TurnRow[]> {
  return db
    .selectFrom('chat_turns')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** A conversation, with a row lock. Undefined: it was deleted. */
export async function lockChat(db: Db, id: string): Promise<ChatRow | undefined> {
  return db.selectFrom('chat_sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function findChat(db: Db, id: string): Promise<ChatRow> {
  return db.selectFrom('chat_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Conversations of a person, newest first. */
export async function listChats(db: Db, personId: string, page: { limit: number; offset: number }) {
  const own = db.selectFrom('chat_sessions').where('person_id', '=', personId);
  const chats = await own
    .selectAll()
    .orderBy('last_turn_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { chats, total: Number(total) };
}

/** Idle conversations with turns since the last title of a model. */
export async function listChatsToTitle(db: Db, restedSince: Date, limit: number): Promise<ChatRow[]> {
  return db
    .selectFrom('chat_sessions')
    .selectAll()
    .where('last_turn_at', '<', restedSince)
    .where('titled_by', '!=', 'given')
    .whereRef('turns_told', '<', 'turns')
    .orderBy('last_turn_at')
    .limit(limit)
    .execute();
}

export async function deleteChatRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('chat_sessions').where('id', '=', id).execute();
}

/** Only its person sees a conversation. Its page follows the rules of its brain. */
export async function locateChats(db: Db, ids: readonly string[], personId: string): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('chat_sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

/** Whether the person switched capture off. */
export async function isStopped(db: Db, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('chat_capture_stops')
    .select('person_id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setStopped(db: Db, stop: StopRow, isOff: boolean): Promise<void> {
  if (!isOff) await db.deleteFrom('chat_capture_stops').where('person_id', '=', stop.person_id).execute();
  else
    await db
      .insertInto('chat_capture_stops')
      .values(stop)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
