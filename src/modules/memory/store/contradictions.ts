import { sql, type ExpressionBuilder } from 'kysely';
import type { Contradiction } from '../rules/contradiction.ts';
import type { Db, LinkRow, Tables } from './tables.ts';

export type Conflict = Pick<
  LinkRow,
  'source_memory_id' | 'target_memory_id' | 'origin' | 'reason' | 'kind' | 'created_at'
> & { source_brain_id: string; target_brain_id: string };

type Page = { limit: number; offset?: number; between?: boolean; isDismissed?: boolean };

/**
 * Conflicts between live memories, newest first. `between`: only if the two are in different brains; `isDismissed`:
 * dismissed ones instead of the open ones.
 */
export async function listConflicts(
  db: Db,
  brainIds: readonly string[],
  { limit, offset = 0, between = false, isDismissed = false }: Page,
): Promise<Conflict[]> {
  if (!brainIds.length) return [];
  const brains = sql.join([...brainIds]);
  const { rows } = await sql<Conflict>`
    select link.source_memory_id, link.target_memory_id, link.origin, link.reason, link.kind, link.created_at,
      source.brain_id as source_brain_id, target.brain_id as target_brain_id
    from memory_links link
      cross join lateral (select brain_id from memories
        where id = link.source_memory_id and brain_id in (${brains}) and archived_at is null) source
      cross join lateral (select brain_id from memories
        where id = link.target_memory_id and brain_id in (${brains}) and archived_at is null) target
    where link.relationship_type = 'conflicts_with' and (not ${between}::boolean or source.brain_id <> target.brain_id)
      and is_dismissed_contradiction(link.source_memory_id, link.target_memory_id, link.kind) = ${isDismissed}::boolean
    order by link.created_at desc, link.source_memory_id, link.target_memory_id limit ${limit} offset ${offset}
  `.execute(db);
  return rows;
}

/** The contradictions between two memories, in either direction; the brain is that of the newer one. */
export async function findConflictsBetween(db: Db, one: string, other: string) {
  return db
    .selectFrom('memory_links as link')
    .innerJoin('memories', 'memories.id', 'link.source_memory_id')
    .select(['link.kind', 'memories.brain_id', 'memories.workspace_id'])
    .where('link.relationship_type', '=', 'conflicts_with')
    .where((eb) =>
      eb.or([
        eb.and([eb('link.source_memory_id', '=', one), eb('link.target_memory_id', '=', other)]),
        eb.and([eb('link.source_memory_id', '=', other), eb('link.target_memory_id', '=', one)]),
      ]),
    )
    .execute();
}

/** A pair of memories, or a kind in a brain. */
export type Dismissal = { readonly pair: readonly [string, string] } | { readonly kind: Contradiction['kind'] };

type DismissalFields = {
  readonly id: string;
  readonly workspaceId: string;
  readonly brainId: string;
  readonly label: string;
  readonly at: Date;
};

/** Dismisses contradictions permanently. Already dismissed ones stay as they are. */
export async function dismissContradictions(db: Db, dismissal: Dismissal, by: DismissalFields): Promise<void> {
  const [memory_id, other_id] = 'pair' in dismissal ? dismissal.pair : [null, null];
  await db
    .insertInto('dismissed_contradictions')
    .values({
      id: by.id,
      workspace_id: by.workspaceId,
      brain_id: by.brainId,
      memory_id,
      other_id,
      kind: 'kind' in dismissal ? dismissal.kind : null,
      dismissed_at: by.at,
      dismissed_by_label: by.label,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Undoes the dismissal of two memories' contradictions. False: they were not dismissed as a pair. */
export async function reopenPair(db: Db, one: string, other: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dismissed_contradictions')
    .where('kind', 'is', null)
    .where((eb: ExpressionBuilder<Tables, 'dismissed_contradictions'>) =>
      eb.or([
        eb.and([eb('memory_id', '=', one), eb('other_id', '=', other)]),
        eb.and([eb('memory_id', '=', other), eb('other_id', '=', one)]),
      ]),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Undoes the dismissal of a kind of contradictions in a brain. False: it was not dismissed. */
export async function reopenKind(db: Db, brainId: string, kind: Contradiction['kind']): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dismissed_contradictions')
    .where('brain_id', '=', brainId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The kinds that are dismissed in these brains. */
export async function listDismissedKinds(db: Db, brainIds: readonly string[]) {
  if (!brainIds.length) return [];
  return db
    .selectFrom('dismissed_contradictions')
    .select(['brain_id', 'kind', 'dismissed_at', 'dismissed_by_label'])
    .where('brain_id', 'in', brainIds)
    .where('kind', 'is not', null)
    .$narrowType<{ kind: Contradiction['kind'] }>()
    .orderBy('dismissed_at', 'desc')
    .execute();
}
