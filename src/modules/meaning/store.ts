import { computeTimeFromNow } from '#platform/database';
import { sql, type Kysely } from 'kysely';

type Tables = {
  embedding_runs: {
    workspace_id: string;
    space: string;
    seen: string | null;
    started_at: Date;
    last_error: string | null;
    last_error_at: Date | null;
  };
  embedding_queue: {
    item_id: string;
    workspace_id: string;
    text_hash: string;
    queued_at: Date;
    not_before: Date;
    claim: string | null;
    attempts: number;
    last_error: string | null;
  };
  embeddings: {
    item_id: string;
    part: number;
    workspace_id: string;
    brain_id: string;
    space: string;
    text_hash: string;
    code: Buffer | null;
  };
  embeddable: {
    id: string;
    workspace_id: string;
    brain_id: string;
    title: string | null;
    body: string;
    text_hash: string;
    is_live: boolean;
  };
  brain_directory: { id: string; personal_to: string | null };
};
type Db = Kysely<Tables>;

/** Makes the space the workspace's own, and checks everything again when it was another one. */
export async function beginRun(db: Db, workspaceId: string, space: string, at: Date): Promise<void> {
  await sql`
    insert into embedding_runs (workspace_id, space, started_at) values (${workspaceId}, ${space}, ${at})
    on conflict (workspace_id) do update
      set space = excluded.space, seen = null, started_at = excluded.started_at, last_error = null, last_error_at = null
      where embedding_runs.space <> excluded.space`.execute(db);
}

/** The same while the length of the model's vectors is unknown; a run of this model stays unchanged. */
export async function awaitRun(db: Db, workspaceId: string, model: string, at: Date): Promise<void> {
  await sql`
    insert into embedding_runs (workspace_id, space, started_at) values (${workspaceId}, ${`${model}/0`}, ${at})
    on conflict (workspace_id) do update set space = excluded.space, seen = null, started_at = excluded.started_at
      where not starts_with(embedding_runs.space, ${`${model}/`})`.execute(db);
}

/** Whether the run still has this space, and whether there are writes that it has not checked. */
export async function readRunState(
  db: Db,
  workspaceId: string,
  space: string,
): Promise<{ isOurs: boolean; isBehind: boolean }> {
  const run = await db
    .selectFrom('embedding_runs')
    .select(['space', seenInThisHistory.as('seen')])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (run?.space !== space) return { isOurs: false, isBehind: false };
  if (run.seen === null) return { isOurs: true, isBehind: true };
  const { rows } = await sql<{ is_behind: boolean }>`
    select exists (select from embeddable where workspace_id = ${workspaceId} and ${isUnseenChange(run.seen)}) as is_behind
  `.execute(db);
  return { isOurs: true, isBehind: rows[0]?.is_behind ?? false };
}

/** The snapshot of the last check; null when it belongs to another history of the database, or its ids went back. */
const seenInThisHistory = sql<string | null>`case when history = database_history()
  and pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()) then seen::text end`;

/** The first comparison is implied by the second, and can use an index. */
function isUnseenChange(seen: string) {
  return sql`changed_xact >= pg_snapshot_xmin(${seen}::pg_snapshot)
    and not pg_visible_in_snapshot(changed_xact, ${seen}::pg_snapshot)`;
}

/**
 * Reads the writes since the run's snapshot: queues texts without a vector, deletes vectors of deleted or changed
 * texts, and moves those of moved texts. All from one snapshot, which is stored for the next time.
 */
export async function noteChanges(
  db: Db,
  { workspaceId, space, at }: { workspaceId: string; space: string; at: Date },
): Promise<void> {
  // One at a time, each from the end of the previous one.
  const run = await db
    .selectFrom('embedding_runs')
    .select(seenInThisHistory.as('seen'))
    .where('workspace_id', '=', workspaceId)
    .where('space', '=', space)
    .forUpdate()
    .executeTakeFirst();
  if (!run) return;
  const { seen } = run;
  await sql`
    with changed as materialized (
      select id, brain_id, is_live, text_hash from embeddable
      where workspace_id = ${workspaceId} and ${seen === null ? sql`true` : isUnseenChange(seen)}
    ), taken as (
      update embeddings set code = null from changed
      where item_id = id and code is not null and not (is_live and embeddings.text_hash = changed.text_hash)
    ), moved as (
      update embeddings set brain_id = changed.brain_id from changed
      where item_id = id and is_live and embeddings.text_hash = changed.text_hash
        and embeddings.brain_id <> changed.brain_id
    ), looked as (
      update embedding_runs set seen = pg_current_snapshot(), history = database_history() where workspace_id = ${workspaceId}
    )
    insert into embedding_queue (item_id, workspace_id, text_hash, queued_at, not_before)
    select id, ${workspaceId}, text_hash, ${at}, now() from changed
    where is_live and not exists (
      select from embeddings where item_id = id and part = 0 and space = ${space}
        and embeddings.text_hash = changed.text_hash and code is not null)
    on conflict (item_id) do update
      set text_hash = excluded.text_hash, queued_at = excluded.queued_at, not_before = excluded.not_before,
        claim = null, attempts = 0, last_error = null
      where embedding_queue.text_hash <> excluded.text_hash or ${seen === null}
  `.execute(db);
}

/** One item to embed, as it was when it was claimed. */
export type Item = {
  id: string;
  title: string | null;
  body: string;
  textHash: string;
  /** The owner of its personal brain; null: it belongs to several people. */
  personId: string | null;
};

export type Claim = { workspaceId: string; space: string; claim: string; forMs: number };

/** Claims up to a number of texts, newest first. Deleted ones leave the queue. Empty when nothing is due. */
export async function claimItems(
  db: Db,
  { workspaceId, space, claim, forMs }: Claim,
  { items, characters }: { items: number; characters: number },
): Promise<{ claimed: number; items: Item[] }> {
  const { rows: claimed } = await sql<{ item_id: string }>`
    update embedding_queue set claim = ${claim}, not_before = ${computeTimeFromNow(forMs)}
    where item_id in (
      select item_id from embedding_queue
      where workspace_id = ${workspaceId} and not_before <= now()
        and exists (select from embedding_runs where workspace_id = ${workspaceId} and space = ${space})
      order by queued_at desc, item_id limit ${items} for update skip locked)
    returning item_id`.execute(db);
  const ids = claimed.map((row) => row.item_id);
  if (!ids.length) return { claimed: 0, items: [] };
  const found = await db
    .selectFrom('embeddable')
    .leftJoin('brain_directory as brains', 'brains.id', 'embeddable.brain_id')
    .select([
      'embeddable.id',
      'title',
      sql<string>`left(body, ${characters})`.as('body'),
      'text_hash as textHash',
      'personal_to as personId',
    ])
    .where('embeddable.id', 'in', ids)
    .where('is_live', '=', true)
    .execute();
  const missingIds = ids.filter((id) => !found.some((item) => item.id === id));
  if (missingIds.length) await db.deleteFrom('embedding_queue').where('item_id', 'in', missingIds).execute();
  return { claimed: ids.length, items: found };
}

/** An item and the code of each of its pieces. */
export type EmbeddedItem = { item: Item; codes: Int8Array[] };

/** Stores vectors, unless the text or the space has changed meanwhile. Returns the number of items. */
export async function storeCodes(
  db: Db,
  { workspaceId, space, claim }: Claim,
  embedded: readonly EmbeddedItem[],
): Promise<number> {
  if (!embedded.length) return 0;
  const run = await db
    .selectFrom('embedding_runs')
    .select('space')
    .where('workspace_id', '=', workspaceId)
    .where('space', '=', space)
    .forShare()
    .executeTakeFirst();
  if (!run) {
    await giveBack(db, { workspaceId, claim });
    return 0;
  }
  const ids = embedded.map(({ item }) => item.id);
  const now = await db
    .selectFrom('embeddable')
    .select(['id', 'brain_id', 'text_hash as textHash'])
    .where('id', 'in', ids)
    .where('is_live', '=', true)
    .execute();
  const current = new Map(now.map((row) => [row.id, row]));
  const kept = embedded.filter(({ item }) => current.get(item.id)?.textHash === item.textHash);
  const rows = kept.flatMap(({ item, codes }) =>
    codes.map((code, part) => ({
      item_id: item.id,
      part,
      workspace_id: workspaceId,
      brain_id: current.get(item.id)?.brain_id ?? '',
      space,
      text_hash: item.textHash,
      code: Buffer.from(code.buffer),
    })),
  );
  if (rows.length) await upsertCodes(db, rows);
  for (const { item, codes } of kept) {
    await db
      .updateTable('embeddings')
      .set({ code: null })
      .where('item_id', '=', item.id)
      .where('part', '>=', codes.length)
      .where('code', 'is not', null)
      .execute();
  }
  // An item whose text changed meanwhile was queued again, unclaimed, and stays.
  await db.deleteFrom('embedding_queue').where('item_id', 'in', ids).where('claim', '=', claim).execute();
  return kept.length;
}

async function upsertCodes(db: Db, rows: Tables['embeddings'][]): Promise<void> {
  await db
    .insertInto('embeddings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['item_id', 'part']).doUpdateSet((eb) => ({
        brain_id: eb.ref('excluded.brain_id'),
        space: eb.ref('excluded.space'),
        text_hash: eb.ref('excluded.text_hash'),
        code: eb.ref('excluded.code'),
      })),
    )
    .execute();
}

/** Sets aside a text that the embedder refuses, longer each time. */
export async function putAside(db: Db, itemId: string, claim: string, reason: string): Promise<void> {
  await sql`
    update embedding_queue
    set claim = null, attempts = attempts + 1, last_error = ${reason},
      not_before = now() + least(interval '1 day', interval '1 minute' * power(4, least(attempts, 10)))
    where item_id = ${itemId} and claim = ${claim}`.execute(db);
}

/** Releases a claim after an error that was not caused by the texts, and stores the error. */
export async function giveBack(db: Db, { workspaceId, claim }: Pick<Claim, 'workspaceId' | 'claim'>): Promise<void> {
  await db
    .updateTable('embedding_queue')
    .set({ claim: null, not_before: computeTimeFromNow() })
    .where('workspace_id', '=', workspaceId)
    .where('claim', '=', claim)
    .execute();
}

/** Lets claimed texts wait until the cap of their person ends. */
export async function delayUntil(db: Db, claim: string, itemIds: readonly string[], until: Date): Promise<void> {
  await db
    .updateTable('embedding_queue')
    .set({ claim: null, not_before: until })
    .where('claim', '=', claim)
    .where('item_id', 'in', itemIds)
    .execute();
}

/** Clears the last error, unless texts wait for the end of a cap. */
export async function clearEmbeddingError(db: Db, workspaceId: string): Promise<void> {
  await sql`
    update embedding_runs set last_error = null, last_error_at = null
    where workspace_id = ${workspaceId} and last_error is not null and not exists (
      select from embedding_queue
      where workspace_id = ${workspaceId} and claim is null and last_error is null and not_before > now())`.execute(db);
}

/** Stores the last error, for `embedding_status`; null when there is none any more. */
export async function noteEmbeddingError(db: Db, workspaceId: string, message: string | null, at: Date): Promise<void> {
  await db
    .updateTable('embedding_runs')
    .set({ last_error: message, last_error_at: message === null ? null : at })
    .where('workspace_id', '=', workspaceId)
    .where('last_error', message === null ? 'is not' : 'is distinct from', message)
    .execute();
}

/** The progress of embedding in these brains. */
export async function countProgress(db: Db, brainIds: readonly string[], space: string | null) {
  const { rows } = await sql<{ total: number; embedded: number; queued: number; failed: number }>`
    select
      (select count(*) from embeddable where brain_id = any(${brainIds}) and is_live) as total,
      (select count(*) from embeddings join embeddable on id = item_id
        where embeddable.brain_id = any(${brainIds}) and is_live and part = 0 and space = ${space}
          and code is not null) as embedded,
      count(*) filter (where last_error is null) as queued, count(*) filter (where last_error is not null) as failed
    from embedding_queue join embeddable on id = item_id
    where embeddable.brain_id = any(${brainIds}) and is_live`.execute(db);
  return rows[0] ?? { total: 0, embedded: 0, queued: 0, failed: 0 };
}

/** The run of the workspace, if there is one. */
export async function findRun(db: Db) {
  return db
    .selectFrom('embedding_runs')
    .select(['space', 'last_error', 'last_error_at', sql<boolean>`seen is not null`.as('has_looked')])
    .executeTakeFirst();
}
