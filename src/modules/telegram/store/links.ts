import { endSelectedSecrets, findSecret, issueSecret, openUntil, useSecret } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';

export type LinkRow = {
  id: string;
  workspace_id: string;
  connection_id: string;
  person_id: string;
  code_is_human_surface: boolean;
  chat_id: number | null;
  chat_name: string | null;
  linked_at: Date | null;
  is_human_surface: boolean;
  /**
   * The key of the caller that requested the current code, and of the one that linked the phone; null: a person did.
   */
  code_made_by_key: string | null;
  made_by_key: string | null;
  heard_at: Date | null;
  brain_id: string | null;
  created_at: Date;
};
type Tables = {
  telegram_links: LinkRow;
  telegram_replies: { created_at: Date };
  telegram_prompts: { created_at: Date };
  telegram_strangers: { connection_id: string; chat_id: number; workspace_id: string; told_at: Date };
};
type Db = Kysely<Tables>;

type Code = Pick<LinkRow, 'id' | 'workspace_id' | 'connection_id' | 'person_id'> & {
  expiresAt: Date;
  isHumanSurface: boolean;
  madeByKey: string | null;
  at: Date;
};

const purpose = 'telegram_code';

/** Creates a code for a person; the earlier code becomes invalid. A linked phone stays linked. */
export async function putCodeOut(db: Db, code: Code): Promise<string> {
  const { expiresAt, isHumanSurface, madeByKey, at, ...link } = code;
  const out = { code_is_human_surface: isHumanSurface, code_made_by_key: madeByKey };
  const nobody = { chat_id: null, chat_name: null, linked_at: null, heard_at: null, brain_id: null };
  const { id: subjectId } = await db
    .insertInto('telegram_links')
    .values({ ...link, ...out, ...nobody, is_human_surface: false, made_by_key: null, created_at: at })
    .onConflict((conflict) => conflict.columns(['connection_id', 'person_id']).doUpdateSet(out))
    .returning('id')
    .executeTakeFirstOrThrow();
  const { workspace_id: workspaceId, connection_id: boundTo } = link;
  return issueSecret(db, { purpose, prefix: 'tg', subjectId, workspaceId, boundTo, at, expiresAt });
}

type Phone = { connectionId: string; chatId: number; name: string };

/**
 * Uses up a code and links the phone that sent it. A phone serves one person of a bot, and a person has one phone
 * there, so the last code wins. Undefined: the code was used, has expired, or never existed.
 */
export async function useCode(db: Db, code: string, phone: Phone, at: Date): Promise<LinkRow | undefined> {
  const { connectionId, chatId, name } = phone;
  const id = await useSecret(db, purpose, { secret: code, boundTo: connectionId, at });
  const link = id && (await db.selectFrom('telegram_links').selectAll().where('id', '=', id).executeTakeFirst());
  if (!link) return undefined;
  await db
    .deleteFrom('telegram_links')
    .where('connection_id', '=', connectionId)
    .where('chat_id', '=', chatId)
    .where('id', '!=', link.id)
    .execute();
  return db
    .updateTable('telegram_links')
    .set({
      chat_id: chatId,
      chat_name: name,
      linked_at: at,
      heard_at: at,
      is_human_surface: link.code_is_human_surface,
      made_by_key: link.code_made_by_key,
    })
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirst();
}

/** The expiry of a link's code; null: it has no valid one. */
export async function findCodeExpiry(db: Db, id: string, at: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('telegram_links')
    .select(openUntil('telegram_links.id', at).as('until'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** Whether this bot has a code, expired or not. */
export async function isCodeOut(db: Db, connectionId: string, code: string): Promise<boolean> {
  const found = await findSecret(db, purpose, code);
  if (!found || found.usedAt) return false;
  const row = await db
    .selectFrom('telegram_links')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('id', '=', found.subjectId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findLinkOfChat(db: Db, connectionId: string, chatId: number): Promise<LinkRow | undefined> {
  return db
    .selectFrom('telegram_links')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
}

export async function findLinkOfPerson(db: Db, connectionId: string, personId: string): Promise<LinkRow | undefined> {
  return db
    .selectFrom('telegram_links')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** A person's phones. Phones that a signed-in person linked come first, then recently used ones. */
export async function listPhones(db: Db, personId: string): Promise<(LinkRow & { chat_id: number })[]> {
  const rows = await db
    .selectFrom('telegram_links')
    .selectAll()
    .where('person_id', '=', personId)
    .where('chat_id', 'is not', null)
    .orderBy('is_human_surface', 'desc')
    .orderBy('heard_at', (order) => order.desc().nullsLast())
    .execute();
  return rows.flatMap((row) => (row.chat_id === null ? [] : { ...row, chat_id: row.chat_id }));
}

export async function hasLinks(db: Db, connectionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('telegram_links')
    .select('id')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the phone and the code of a person. */
export async function deleteLink(db: Db, id: string): Promise<void> {
  await db.deleteFrom('telegram_links').where('id', '=', id).execute();
}

/** Deletes the phones and codes that revoked keys created. */
export async function deleteLinksOfKeys(db: Db, keyIds: readonly string[]): Promise<{ phones: number }> {
  await endSelectedSecrets(db, sql`select id from telegram_links where code_made_by_key = any(${keyIds}::uuid[])`);
  const deleted = await db.deleteFrom('telegram_links').where('made_by_key', 'in', keyIds).returning('id').execute();
  return { phones: deleted.length };
}

/** Deletes the phones and codes of a person, of every bot. */
export async function deleteLinksOfPerson(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('telegram_links').where('person_id', '=', personId).execute();
}

/** Records when a phone last wrote, and its present name. */
export async function noteHeard(db: Db, id: string, name: string, at: Date): Promise<void> {
  await db.updateTable('telegram_links').set({ heard_at: at, chat_name: name }).where('id', '=', id).execute();
}

/** The brain for texts from now on; null: the person's own brain. */
export async function chooseBrain(db: Db, id: string, brainId: string | null): Promise<void> {
  await db.updateTable('telegram_links').set({ brain_id: brainId }).where('id', '=', id).execute();
}

/** How many strangers of a bot are told that it is private; messages of further ones are ignored. */
const mostStrangers = 1_000;

/** Records that a stranger is told now. False: they were told before, or there are too many. */
export async function noteStranger(
  db: Db,
  stranger: { connection_id: string; workspace_id: string; chatId: number; at: Date },
): Promise<boolean> {
  const { connection_id, workspace_id, chatId, at } = stranger;
  const { count } = await db
    .selectFrom('telegram_strangers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection_id', '=', connection_id)
    .executeTakeFirstOrThrow();
  if (count >= mostStrangers) return false;
  const noted = await db
    .insertInto('telegram_strangers')
    .values({ connection_id, workspace_id, chat_id: chatId, told_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning(sql`1`.as('told'))
    .executeTakeFirst();
  return noted !== undefined;
}

/** Deletes strangers, expired codes without a linked phone, and answers that nobody waits for any more. */
export async function tidyTelegram(db: Db, at: Date): Promise<void> {
  const [dayAgo, monthAgo] = [1, 30].map((days) => new Date(at.getTime() - days * 24 * 60 * 60 * 1000));
  await db
    .deleteFrom('telegram_strangers')
    .where('told_at', '<', monthAgo ?? at)
    .execute();
  await db
    .deleteFrom('telegram_replies')
    .where('created_at', '<', dayAgo ?? at)
    .execute();
  await db
    .deleteFrom('telegram_prompts')
    .where('created_at', '<', monthAgo ?? at)
    .execute();
  await db
    .deleteFrom('telegram_links')
    .where('chat_id', 'is', null)
    .where(openUntil('telegram_links.id', at), 'is', null)
    .execute();
}
