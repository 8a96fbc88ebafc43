import type { Located } from '#kernel/resource';
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import type { LinkType, MemoryType, Salience, Trigger } from './memory-fields.ts';

type MemoryRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  content: string;
  type: MemoryType;
  salience: Salience;
  topics: string[];
  triggers: Trigger[];
  session_id: string | null;
  thread_id: string | null;
  author: string | null;
  role: 'user' | 'assistant' | 'other' | null;
  occurred_at: Date;
  source: string | null;
  stored_by: string;
  stored_by_label: string;
  created_at: Date;
  archived_at: Date | null;
  archive_reason: string | null;
  superseded_by: string | null;
};
type LinkRow = {
  workspace_id: string;
  source_memory_id: string;
  target_memory_id: string;
  relationship_type: LinkType;
  created_at: Date;
};
type SessionRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  person_id: string;
  opened_by: string;
  started_at: Date;
  summary: string | null;
  logged_at: Date | null;
};
type Tables = {
  memories: MemoryRow;
  memory_links: LinkRow;
  memory_sessions: SessionRow;
  brains: { id: string; name: string };
};
type Db = Kysely<Tables>;

export type NewMemory = Omit<MemoryRow, 'archived_at' | 'archive_reason' | 'superseded_by'>;

/** A memory with the name of its brain, as answers show it. */
export type Memory = MemoryRow & { brain_name: string };

export async function insertMemories(db: Db, memories: readonly NewMemory[]): Promise<void> {
  // One parameter for all rows: to compile a query with one for each value takes longer than to run it.
  await sql`
    insert into memories (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from jsonb_populate_recordset(null::memories, ${JSON.stringify(memories)}::jsonb)
  `.execute(db);
}

const columns = [
  'id',
  'workspace_id',
  'brain_id',
  'content',
  'type',
  'salience',
  'topics',
  'triggers',
  'session_id',
  'thread_id',
  'author',
  'role',
  'occurred_at',
  'source',
  'stored_by',
  'stored_by_label',
  'created_at',
] as const satisfies readonly (keyof NewMemory)[];

export async function locateMemories(db: Db, ids: readonly string[]): Promise<Located[]> {
  const rows = await db.selectFrom('memories').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** Live memories with these ids, in the order of the ids. */
export async function findMemories(db: Db, ids: readonly string[]): Promise<Memory[]> {
  if (!ids.length) return [];
  const rows = await withBrainName(db).where('memories.id', 'in', ids).execute();
  // Not asked of the database: before it has statistics, it would take an index of all live memories for it.
  const live = new Map(rows.filter((row) => row.archived_at === null).map((row) => [row.id, row]));
  return ids.flatMap((id) => live.get(id) ?? []);
}

export type MemoryFilter = { brainIds: readonly string[]; type?: MemoryType; salience?: Salience };

/** Live memories, newest first. */
export async function listMemories(
  db: Db,
  filter: MemoryFilter,
  page: { limit: number; offset: number },
): Promise<Memory[]> {
  if (!filter.brainIds.length) return [];
  return withBrainName(db)
    .where('memories.archived_at', 'is', null)
    .where('memories.brain_id', 'in', filter.brainIds)
    .$if(filter.type !== undefined, (query) => query.where('memories.type', '=', filter.type ?? 'fact'))
    .$if(filter.salience !== undefined, (query) => query.where('memories.salience', '=', filter.salience ?? 'normal'))
    .orderBy('memories.created_at', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** How many live memories of each type there are. */
export async function countMemories(
  db: Db,
  filter: MemoryFilter,
): Promise<{ total: number; byType: Record<string, number> }> {
  if (!filter.brainIds.length) return { total: 0, byType: {} };
  const rows = await db
    .selectFrom('memories')
    .select(['type', (eb) => eb.fn.countAll<number>().as('count')])
    .where('brain_id', 'in', filter.brainIds)
    .where('archived_at', 'is', null)
    .$if(filter.type !== undefined, (query) => query.where('type', '=', filter.type ?? 'fact'))
    .groupBy('type')
    .execute();
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    byType: Object.fromEntries(rows.map((row) => [row.type, row.count])),
  };
}

/** Topics are counted among so many of the newest memories, so that opening a large brain costs no more. */
const countedForTopics = 5_000;

/** The topics most memories of a brain share. */
export async function countTopics(
  db: Db,
  brainIds: readonly string[],
  limit: number,
): Promise<{ topic: string; count: number }[]> {
  const { rows } = await sql<{ topic: string; count: number }>`
    with newest as (
      select topics from memories where brain_id in (${sql.join([...brainIds])}) and archived_at is null
      order by created_at desc limit ${countedForTopics}
    )
    select min(topic) as topic, count(*) as count from newest, unnest(topics) as topic
    group by lower(topic) having count(*) > 1 order by count(*) desc, min(topic) limit ${limit}
  `.execute(db);
  return rows;
}

/** The triggers of live memories of these brains, the newest memories first. */
export async function listTriggers(db: Db, brainIds: readonly string[]): Promise<Pick<MemoryRow, 'id' | 'triggers'>[]> {
  return db
    .selectFrom('memories')
    .select(['id', 'triggers'])
    .where('brain_id', 'in', brainIds)
    .where('archived_at', 'is', null)
    .where(sql<boolean>`triggers <> '[]'::jsonb`)
    .orderBy('created_at', 'desc')
    .limit(2_000)
    .execute();
}

/** Retires a memory. False when it was retired before. */
export async function archive(
  db: Db,
  id: string,
  retirement: { reason: string | null; supersededBy: string | null; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('memories')
    .set({ archived_at: retirement.at, archive_reason: retirement.reason, superseded_by: retirement.supersededBy })
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type NewLink = { workspaceId: string; from: string; to: string; type: LinkType; at: Date };

/** Links memories; a link that exists stays as it is. Answers how many are new. */
export async function insertLinks(db: Db, links: readonly NewLink[]): Promise<number> {
  if (!links.length) return 0;
  const rows = await db
    .insertInto('memory_links')
    .values(
      links.map((link) => ({
        workspace_id: link.workspaceId,
        source_memory_id: link.from,
        target_memory_id: link.to,
        relationship_type: link.type,
        created_at: link.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('source_memory_id')
    .execute();
  return rows.length;
}

/** Links that begin or end at one of the memories and stay within the brains. */
export async function listLinks(db: Db, ids: readonly string[], brainIds: readonly string[]) {
  if (!ids.length) return [];
  return (
    db
      .selectFrom('memory_links as link')
      .select(['link.source_memory_id', 'link.target_memory_id', 'link.relationship_type'])
      .where((eb) => eb.or([eb('link.source_memory_id', 'in', ids), eb('link.target_memory_id', 'in', ids)]))
      // Not joins: before it has statistics, PostgreSQL would join all memories with all memories first.
      .where((eb) => eb(liveBrainOf(eb, 'link.source_memory_id'), 'in', brainIds))
      .where((eb) => eb(liveBrainOf(eb, 'link.target_memory_id'), 'in', brainIds))
      .orderBy('link.created_at', 'desc')
      .limit(100)
      .execute()
  );
}

/** The brain of the memory a link names; null when the memory is retired. */
function liveBrainOf(
  eb: ExpressionBuilder<Tables & { link: LinkRow }, 'link'>,
  end: 'link.source_memory_id' | 'link.target_memory_id',
) {
  return eb
    .selectFrom('memories')
    .select('memories.brain_id')
    .whereRef('memories.id', '=', end)
    .where('memories.archived_at', 'is', null);
}

export async function insertSession(
  db: Db,
  session: { id: string; workspaceId: string; brainId: string; personId: string; openedBy: string; at: Date },
): Promise<void> {
  await db
    .insertInto('memory_sessions')
    .values({
      id: session.id,
      workspace_id: session.workspaceId,
      brain_id: session.brainId,
      person_id: session.personId,
      opened_by: session.openedBy,
      started_at: session.at,
      summary: null,
      logged_at: null,
    })
    .execute();
}

export async function locateSessions(db: Db, ids: readonly string[], personId: string): Promise<Located[]> {
  const rows = await db
    .selectFrom('memory_sessions')
    .select(['id', 'brain_id'])
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

export async function logSummary(db: Db, id: string, summary: string, at: Date): Promise<void> {
  await db.updateTable('memory_sessions').set({ summary, logged_at: at }).where('id', '=', id).execute();
}

/** Sessions of a brain that left a summary, newest first. */
export async function listSessions(db: Db, brainIds: readonly string[], limit: number) {
  return db
    .selectFrom('memory_sessions')
    .select(['id', 'summary', 'opened_by', 'started_at'])
    .where('brain_id', 'in', brainIds)
    .where('summary', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute();
}

function withBrainName(db: Db) {
  // Not a join: before it has statistics, PostgreSQL would read all memories of the brain for it.
  const brainName = sql<string>`(select name from brains where brains.id = memories.brain_id)`;
  return db.selectFrom('memories').selectAll('memories').select(brainName.as('brain_name'));
}
