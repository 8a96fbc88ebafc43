import type { Message } from './pair.ts';
import { sql, type Kysely } from 'kysely';

type Tables = {
  stored_memories: {
    id: string;
    brain_id: string;
    content: string;
    type: string;
    topics: string[];
    triggers: { condition: string; reason: string }[];
    archived_at: Date | null;
    superseded_by: string | null;
  };
  training_pairs: {
    document_id: string;
    position: number;
    workspace_id: string;
    brain_id: string;
    prompt: Message[];
    answer: string;
    rejected: string | null;
    created_at: Date;
  };
  learned_questions: { id: string; memory_id: string; question: string };
  document_directory: { id: string; deleted_at: Date | null };
};
export type Db = Kysely<Tables>;

/** A memory with the fields that pairs are made from. */
export type MemoryPair = {
  id: string;
  content: string;
  type: string;
  topics: string[];
  triggers: { condition: string; reason: string }[];
};

/** A question that a memory answers. */
export type LessonPair = { memory_id: string; question: string };

type Page = { brainIds: readonly string[]; after: string | null; limit: number };

/**
 * Whether a memory contradicts another live one without a dismissal: a model would learn both. `memory`: the name of
 * the table or alias.
 */
function isInConflict(memory: string) {
  // `offset` prevents a join: before the table has statistics, PostgreSQL would read all links for each memory.
  return sql<boolean>`exists (select from memory_conflicts where memory_id = ${sql.ref(`${memory}.id`)} offset 0)`;
}

/** Live memories in the order of their ids, without superseded, archived and conflicting ones. */
export async function listLiveMemories(
  db: Db,
  { brainIds, after, limit }: Page,
  types?: readonly string[],
): Promise<MemoryPair[]> {
  return db
    .selectFrom('stored_memories as memories')
    .select(['id', 'content', 'type', 'topics', 'triggers'])
    .where('brain_id', 'in', brainIds)
    .where('archived_at', 'is', null)
    .where('superseded_by', 'is', null)
    .where((eb) => eb.not(isInConflict('memories')))
    .$if(types !== undefined, (query) => query.where('type', 'in', types ?? []))
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Questions that live memories answer, because they were learned from a document. */
export async function listMemoryLessons(db: Db, memoryIds: readonly string[]): Promise<LessonPair[]> {
  if (!memoryIds.length) return [];
  return db
    .selectFrom('learned_questions')
    .select(['memory_id', 'question'])
    .where('memory_id', 'in', memoryIds)
    .orderBy('id')
    .execute();
}

/** Superseded memories, each with the live one at the end of its chain, if that is in one of these brains, too. */
export async function listEvolvedMemories(db: Db, { brainIds, after, limit }: Page) {
  const { rows } = await sql<MemoryPair & { chosen: string }>`
    select old.id, old.content, head.content as chosen, head.type, head.topics, head.triggers
    from (
      select id, content, superseded_by from stored_memories as memories
      where brain_id = any(${sql.val(brainIds)}::uuid[]) and superseded_by is not null and id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by id limit ${limit}
    ) old cross join lateral (
      with recursive chain as (
        select id, brain_id, superseded_by, archived_at, content, type, topics, triggers, 1 as step from stored_memories where id = old.superseded_by
        union all
        select next.id, next.brain_id, next.superseded_by, next.archived_at, next.content, next.type, next.topics, next.triggers, step + 1
        from chain join stored_memories next on next.id = chain.superseded_by where step < 100
      )
      select * from chain where superseded_by is null and archived_at is null
        and brain_id = any(${sql.val(brainIds)}::uuid[]) limit 1
    ) head
    where not ${isInConflict('head')}
    order by old.id
  `.execute(db);
  return rows;
}

/** Imported pairs; the cursor is a document and a position. */
export async function listImportedPairs(db: Db, { brainIds, after, limit }: Page, kind: 'sft' | 'dpo') {
  const [document, position] = after?.split('/') ?? [];
  return db
    .selectFrom('training_pairs')
    .innerJoin('document_directory as documents', 'documents.id', 'training_pairs.document_id')
    .select(['document_id', 'position', 'prompt', 'answer', 'rejected'])
    .where('training_pairs.brain_id', 'in', brainIds)
    .where('documents.deleted_at', 'is', null)
    .where('rejected', kind === 'sft' ? 'is' : 'is not', null)
    .$if(document !== undefined, (query) =>
      query.where(sql<boolean>`(document_id, position) > (${document}::uuid, ${Number(position)}::int)`),
    )
    .orderBy('document_id')
    .orderBy('position')
    .limit(limit)
    .execute();
}

export async function insertPairs(db: Db, rows: readonly Tables['training_pairs'][]): Promise<void> {
  for (let from = 0; from < rows.length; from += 1_000) {
    const part = rows.slice(from, from + 1_000);
    const values = part.map((row) => ({ ...row, prompt: JSON.stringify(row.prompt) as never })); // written as text, read as JSON
    await db
      .insertInto('training_pairs')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** How many live memories of these brains are left out because of a conflict. Reads only the conflicts. */
export async function countInConflict(db: Db, brainIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ memories: string }>`
    select count(distinct memories.id) as memories
    from memory_conflicts as conflict join stored_memories as memories on memories.id = conflict.memory_id
    where memories.brain_id = any(${sql.val(brainIds)}::uuid[]) and memories.archived_at is null and memories.superseded_by is null
  `.execute(db);
  return Number(rows[0]!.memories);
}

/** How much training data there is. */
export async function countPairs(db: Db, brainIds: readonly string[]) {
  const { rows } = await sql<
    Record<'memories' | 'superseded' | 'behavioral' | 'evolved' | 'lessons' | 'imported_sft' | 'imported_dpo', string>
  >`
    select
      (select count(*) from stored_memories as memories where brain_id = any(${sql.val(brainIds)}::uuid[]) and archived_at is null and superseded_by is null
        and not ${isInConflict('memories')}) as memories,
      (select count(*) from stored_memories as memories where brain_id = any(${sql.val(brainIds)}::uuid[]) and superseded_by is not null) as superseded,
      (select coalesce(sum(greatest(1, jsonb_array_length(triggers))), 0) from stored_memories as memories
        where brain_id = any(${sql.val(brainIds)}::uuid[]) and archived_at is null and superseded_by is null
          and type in ('constraint', 'preference', 'decision') and not ${isInConflict('memories')}) as behavioral,
      (select count(*) from stored_memories old join stored_memories new on new.id = old.superseded_by
        where new.brain_id = any(${sql.val(brainIds)}::uuid[]) and old.brain_id = any(${sql.val(brainIds)}::uuid[])
          and (new.superseded_by is not null or not ${isInConflict('new')})) as evolved,
      (select count(*) from learned_questions join stored_memories as memories on memories.id = memory_id
        where memories.brain_id = any(${sql.val(brainIds)}::uuid[]) and archived_at is null and superseded_by is null
          and not ${isInConflict('memories')}) as lessons,
      (select count(*) from training_pairs join document_directory as documents on documents.id = document_id
        where training_pairs.brain_id = any(${sql.val(brainIds)}::uuid[]) and rejected is null and deleted_at is null) as imported_sft,
      (select count(*) from training_pairs join document_directory as documents on documents.id = document_id
        where training_pairs.brain_id = any(${sql.val(brainIds)}::uuid[]) and rejected is not null and deleted_at is null) as imported_dpo
  `.execute(db);
  const counts = Object.fromEntries(Object.entries(rows[0]!).map(([name, count]) => [name, Number(count)])) as Record<
    keyof (typeof rows)[0],
    number
  >;
  return { ...counts, in_conflict: await countInConflict(db, brainIds) };
}
