// Records of reading documents, and of what was learned from them.
import type { Caller } from '#kernel/caller';
import { sql, type Kysely } from 'kysely';

type Tables = {
  document_reads: {
    id: string;
    workspace_id: string;
    document_id: string;
    person_id: string;
    line_start: number;
    line_end: number;
    read_at: Date;
  };
  document_lessons: {
    id: string;
    workspace_id: string;
    document_id: string;
    memory_id: string;
    line_start: number;
    line_end: number;
    question: string;
    answer: string;
    created_at: Date;
  };
  documents: { id: string; title: string; reference_count: number; deleted_at: Date | null };
  stored_memories: { id: string; content: string; stored_by: string; created_at: Date; archived_at: Date | null };
};
export type Db = Kysely<Tables>;

type DocumentRead = { id: string; caller: Caller; documentId: string; start: number; end: number; at: Date };

/** Records that somebody read lines. A deleted document is ignored. */
export async function noteRead(db: Db, { id, caller, documentId, start, end, at }: DocumentRead): Promise<void> {
  await sql`
    insert into document_reads (id, workspace_id, document_id, person_id, line_start, line_end, read_at)
    select ${id}, workspace_id, id, ${caller.personId}, ${start}, ${end}, ${at} from documents where id = ${documentId}
  `.execute(db);
}

/**
 * The condition that somebody read a document recently. In most workspaces there is nothing to learn from, so storing
 * creates no job.
 */
export const hasReads = sql<boolean>`exists (select from document_reads)`;

/** What the authors of memories read within `ms` before they stored them. */
export async function listReadsBefore(db: Db, memoryIds: readonly string[], ms: number) {
  return db
    .selectFrom('stored_memories as memories')
    .innerJoin('document_reads as read', 'read.person_id', 'memories.stored_by')
    .innerJoin('documents', 'documents.id', 'read.document_id')
    .select(['memories.id as memory_id', 'memories.content', 'documents.id as document_id', 'documents.title'])
    .select(['read.line_start', 'read.line_end'])
    .where('memories.id', 'in', memoryIds)
    .where('documents.deleted_at', 'is', null)
    .where(sql<boolean>`read.read_at <= memories.created_at`)
    .where(sql<boolean>`read.read_at > memories.created_at - ${ms} * interval '1 millisecond'`)
    .orderBy('read.read_at', 'desc')
    .limit(200)
    .execute();
}

/** Records a lesson and counts it for its document, once for each memory. */
export async function noteLesson(db: Db, lesson: Tables['document_lessons']): Promise<void> {
  const noted = await db
    .insertInto('document_lessons')
    .values(lesson)
    .onConflict((conflict) => conflict.columns(['document_id', 'memory_id']).doNothing())
    .executeTakeFirst();
  if (!noted.numInsertedOrUpdatedRows) return;
  await db
    .updateTable('documents')
    .set({ reference_count: sql`reference_count + 1` })
    .where('id', '=', lesson.document_id)
    .execute();
}

export async function dropReads(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('document_reads').where('read_at', '<', before).execute();
}
