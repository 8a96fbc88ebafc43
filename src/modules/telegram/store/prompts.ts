// Drafts that are shown on people's phones: one message on each phone.
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';

export const buttonNames = ['approve', 'decline'] as const;
export type ButtonName = (typeof buttonNames)[number];

export type PromptRow = {
  draft_id: string;
  workspace_id: string;
  connection_id: string;
  link_id: string;
  chat_id: number;
  buttons: ButtonName[];
  /** Telegram's message numbers: none before it was sent, several if it had to be sent again. */
  message_ids: number[];
  changes: number;
  shown: number;
  expires_at: Date;
  attempts: number;
  created_at: Date;
};
/** One draft on one phone. */
export type PromptPlace = Pick<PromptRow, 'draft_id' | 'connection_id' | 'chat_id'>;
type Tables = {
  telegram_prompts: PromptRow;
  telegram_replies: { connection_id: string; chat_id: number; draft_id: string | null };
  telegram_links: { id: string; person_id: string };
};
type Db = Kysely<Tables>;

/** The most copies of one message that are updated. */
const mostCopies = 5;

export type NewPrompt = Omit<PromptRow, 'message_ids' | 'changes' | 'shown' | 'attempts'>;

/** Records that a draft is shown on a phone. False: it was recorded before. */
export async function insertPrompt(db: Db, prompt: NewPrompt): Promise<boolean> {
  const row = await db
    .insertInto('telegram_prompts')
    .values({ ...prompt, message_ids: sql`'[]'::jsonb`, changes: 0, shown: 0, attempts: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('draft_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The person of the phone. */
export async function findPrompt(db: Db, place: PromptPlace): Promise<(PromptRow & { person_id: string }) | undefined> {
  return db
    .selectFrom('telegram_prompts')
    .innerJoin('telegram_links', 'telegram_links.id', 'telegram_prompts.link_id')
    .selectAll('telegram_prompts')
    .select('telegram_links.person_id')
    .where('telegram_prompts.connection_id', '=', place.connection_id)
    .where('telegram_prompts.chat_id', '=', place.chat_id)
    .where('telegram_prompts.draft_id', '=', place.draft_id)
    .executeTakeFirst();
}

/** Whether a draft is, or will be, on another phone. */
export async function isOnAnotherPhone(db: Db, { draft_id, connection_id, chat_id }: PromptPlace): Promise<boolean> {
  const row = await db
    .selectFrom('telegram_prompts as prompt')
    .select('draft_id')
    .where('draft_id', '=', draft_id)
    .where((eb) => eb.not(eb.and({ connection_id, chat_id })))
    .where((eb) =>
      eb.or([
        sql<boolean>`message_ids <> '[]'`,
        eb.exists(
          eb
            .selectFrom('telegram_replies as reply')
            .whereRef('reply.draft_id', '=', 'prompt.draft_id')
            .whereRef('reply.connection_id', '=', 'prompt.connection_id')
            .whereRef('reply.chat_id', '=', 'prompt.chat_id'),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

function isAt({ draft_id, connection_id, chat_id }: PromptPlace) {
  return (eb: ExpressionBuilder<Tables, 'telegram_prompts'>) => eb.and({ draft_id, connection_id, chat_id });
}

/** Records a message that shows the draft. A message that was unknown must be updated, too. */
export async function noteMessage(db: Db, place: PromptPlace, messageId: number): Promise<void> {
  await db
    .updateTable('telegram_prompts')
    .set({
      message_ids: sql`message_ids || to_jsonb(${messageId}::bigint)`,
      // Earlier updates reached only the other messages.
      shown: sql`least(shown, greatest(changes - 1, 0))`,
    })
    .where(isAt(place))
    .where(sql<boolean>`not message_ids @> to_jsonb(${messageId}::bigint)`)
    .where(sql<boolean>`jsonb_array_length(message_ids) < ${mostCopies}`)
    .execute();
}

/** It will never be sent. */
export async function deletePrompt(db: Db, place: PromptPlace): Promise<void> {
  await db.deleteFrom('telegram_prompts').where(isAt(place)).execute();
}

/** Messages of a bot that do not show the outcome of their draft yet, oldest first. */
export async function listDuePrompts(db: Db, connectionId: string, at: Date): Promise<PromptRow[]> {
  return db
    .selectFrom('telegram_prompts')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where(isDue(at))
    .orderBy('created_at')
    .execute();
}

/** Decided, or past its expiry without being marked as expired. */
function isDue(at: Date) {
  return sql<boolean>`message_ids <> '[]' and (changes > shown or (changes = 0 and expires_at <= ${at}))`;
}

/** Records that the message shows the draft's state as of `changes`. */
export async function noteShown(db: Db, prompt: PromptPlace & Pick<PromptRow, 'changes'>): Promise<void> {
  await db
    .updateTable('telegram_prompts')
    .set({ shown: sql`greatest(shown, ${prompt.changes})`, attempts: 0 })
    .where(isAt(prompt))
    .execute();
}

/** Records that it could not be updated. */
export async function notePromptAttempt(db: Db, place: PromptPlace): Promise<void> {
  await db
    .updateTable('telegram_prompts')
    .set({ attempts: sql`attempts + 1` })
    .where(isAt(place))
    .execute();
}

/** The bots with messages to send, out of the given ones. For work of the server itself, over all workspaces. */
export async function listBotsToSpeak(db: Db, connectionIds: readonly string[], at: Date): Promise<string[]> {
  if (!connectionIds.length) return [];
  const rows = await db
    .selectFrom('telegram_replies')
    .select('connection_id')
    .where('connection_id', 'in', connectionIds)
    .union(
      db
        .selectFrom('telegram_prompts')
        .select('connection_id')
        .where('connection_id', 'in', connectionIds)
        .where(isDue(at)),
    )
    .execute();
  return rows.map((row) => row.connection_id);
}
