import type { ItemLocation } from '#kernel/resource';
import { sql, type Kysely } from 'kysely';

export type Candidate = { brain_id: string; confidence: number };

export type ReviewRow = {
  id: string;
  workspace_id: string;
  memory_id: string;
  connector_id: string | null;
  sender: string | null;
  channel: string | null;
  method: string;
  confidence: number;
  candidates: Candidate[];
  created_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  outcome: 'kept' | 'moved' | null;
};
export type LessonRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  sender: string | null;
  channel: string | null;
  stems: string[];
  created_at: Date;
};
type MemoryRow = {
  id: string;
  brain_id: string;
  content: string;
  source: string | null;
  created_at: Date;
  archived_at: Date | null;
};
type Tables = { routing_reviews: ReviewRow; routing_lessons: LessonRow; stored_memories: MemoryRow };
type Db = Kysely<Tables>;

export type NewReview = Omit<ReviewRow, 'decided_at' | 'decided_by' | 'outcome'>;

export async function insertReview(db: Db, review: NewReview): Promise<void> {
  const candidates = sql<Candidate[]>`${JSON.stringify(review.candidates)}::jsonb`;
  await db
    .insertInto('routing_reviews')
    .values({ ...review, candidates, decided_at: null, decided_by: null, outcome: null })
    .execute();
}

/** An open review continues with the newer version of its memory. */
export async function passReviewsOn(db: Db, from: string, to: string): Promise<void> {
  await db
    .updateTable('routing_reviews')
    .set({ memory_id: to })
    .where('memory_id', '=', from)
    .where('decided_at', 'is', null)
    .execute();
}

export async function locateReviews(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('routing_reviews')
    .innerJoin('stored_memories as memories', 'memories.id', 'routing_reviews.memory_id')
    .select(['routing_reviews.id', 'memories.brain_id'])
    .where('routing_reviews.id', 'in', ids)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

export type OpenReview = ReviewRow & Pick<MemoryRow, 'brain_id' | 'source' | 'content'>;

/** Open reviews of memories in these brains, newest first, and their number. */
export async function listOpenReviews(
  db: Db,
  brainIds: readonly string[],
  page: { limit: number; offset: number },
): Promise<{ reviews: OpenReview[]; total: number }> {
  if (!brainIds.length) return { reviews: [], total: 0 };
  const open = db
    .selectFrom('routing_reviews')
    .innerJoin('stored_memories as memories', 'memories.id', 'routing_reviews.memory_id')
    .where('routing_reviews.decided_at', 'is', null)
    .where('memories.archived_at', 'is', null)
    .where('memories.brain_id', 'in', brainIds);
  const reviews = await open
    .selectAll('routing_reviews')
    .select(['memories.brain_id', 'memories.source', sql<string>`left(memories.content, 600)`.as('content')])
    .orderBy('routing_reviews.created_at', 'desc')
    .orderBy('routing_reviews.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await open.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { reviews, total: Number(total) };
}

/** A review with the text of its memory, locked until the transaction ends. */
export async function lockReview(db: Db, id: string): Promise<OpenReview> {
  const review = await db
    .selectFrom('routing_reviews')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const memory = await db
    .selectFrom('stored_memories')
    .select(['brain_id', 'source', sql<string>`left(content, 8000)`.as('content')])
    .where('id', '=', review.memory_id)
    .executeTakeFirstOrThrow();
  return { ...review, ...memory };
}

export async function decideReview(
  db: Db,
  id: string,
  decision: { by: string; at: Date; outcome: 'kept' | 'moved' },
): Promise<void> {
  await db
    .updateTable('routing_reviews')
    .set({ decided_at: decision.at, decided_by: decision.by, outcome: decision.outcome })
    .where('id', '=', id)
    .execute();
}

export async function insertLesson(db: Db, lesson: LessonRow): Promise<void> {
  await db.insertInto('routing_lessons').values(lesson).execute();
}

/** The latest lessons about these brains. */
export async function listLessons(db: Db, brainIds: readonly string[], limit: number): Promise<LessonRow[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('routing_lessons')
    .selectAll()
    .where('brain_id', 'in', brainIds)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}
