import { sql, type ExpressionBuilder } from 'kysely';
import type { LinkOrigin, LinkType } from '../memory-fields.ts';
import type { LinkKey } from './changes.ts';
import type { Db, LinkRow, Tables } from './tables.ts';

export type NewLink = {
  workspaceId: string;
  from: string;
  to: string;
  type: LinkType;
  at: Date;
  origin: LinkOrigin;
  reason?: string;
  kind?: LinkRow['kind'];
};

/** Links memories; an existing link stays unchanged. Returns the new ones. */
export async function insertLinks(db: Db, links: readonly NewLink[]): Promise<LinkKey[]> {
  if (!links.length) return [];
  return db
    .insertInto('memory_links')
    .values(
      links.map((link) => ({
        workspace_id: link.workspaceId,
        source_memory_id: link.from,
        target_memory_id: link.to,
        relationship_type: link.type,
        created_at: link.at,
        origin: link.origin,
        reason: link.reason ?? null,
        kind: link.kind ?? null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['source_memory_id', 'target_memory_id', 'relationship_type'])
    .execute();
}

/** Removes links. Returns how many there were. */
export async function deleteLinks(db: Db, links: readonly LinkKey[]): Promise<number> {
  let deleted = 0;
  for (const link of links) {
    const { numDeletedRows } = await db
      .deleteFrom('memory_links')
      .where('source_memory_id', '=', link.source_memory_id)
      .where('target_memory_id', '=', link.target_memory_id)
      .where('relationship_type', '=', link.relationship_type)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/** Every link that begins or ends at one of the memories, including archived ones. */
export async function listLinksAtMemories(db: Db, ids: readonly string[]): Promise<LinkRow[]> {
  return db
    .selectFrom('memory_links')
    .selectAll()
    .where((eb) => eb.or([eb('source_memory_id', 'in', ids), eb('target_memory_id', 'in', ids)]))
    .orderBy('created_at')
    .execute();
}

/** Links between these memories, at most this many from each; without dismissed contradictions. */
export async function listLinksBetween(db: Db, ids: readonly string[], mostEach: number): Promise<LinkRow[]> {
  const all = sql`${sql.val(ids)}::uuid[]`;
  // Memory by memory: before the table has statistics, PostgreSQL would read every link.
  const { rows } = await sql<LinkRow>`
    select link.* from unnest(${all}) as memory (id) cross join lateral (
      select * from memory_links where source_memory_id = memory.id and target_memory_id = any (${all})
        and (relationship_type <> 'conflicts_with'
          or not is_dismissed_contradiction(source_memory_id, target_memory_id, kind))
      order by created_at desc, target_memory_id limit ${mostEach}
    ) link
  `.execute(db);
  return rows;
}

/** Links that begin or end at one of the memories and stay within the brains; without dismissed contradictions. */
export async function listLinks(
  db: Db,
  ids: readonly string[],
  brainIds: readonly string[],
  { limit = 100, withRetired = false }: { limit?: number; withRetired?: boolean } = {},
) {
  if (!ids.length) return [];
  return (
    db
      .selectFrom('memory_links as link')
      .select([
        'link.source_memory_id',
        'link.target_memory_id',
        'link.relationship_type',
        'link.origin',
        'link.reason',
      ])
      .where((eb) => eb.or([eb('link.source_memory_id', 'in', ids), eb('link.target_memory_id', 'in', ids)]))
      .where(
        sql<boolean>`(link.relationship_type <> 'conflicts_with'
          or not is_dismissed_contradiction(link.source_memory_id, link.target_memory_id, link.kind))`,
      )
      // Not joins: before the table has statistics, PostgreSQL would join all memories with all memories first.
      .where((eb) => eb(selectLinkedBrain(eb, 'link.source_memory_id', withRetired), 'in', brainIds))
      .where((eb) => eb(selectLinkedBrain(eb, 'link.target_memory_id', withRetired), 'in', brainIds))
      .orderBy('link.created_at', 'desc')
      .limit(limit)
      .execute()
  );
}

/** The brain of a link's memory; null when the memory is archived, unless archived ones count, too. */
function selectLinkedBrain(
  eb: ExpressionBuilder<Tables & { link: LinkRow }, 'link'>,
  end: 'link.source_memory_id' | 'link.target_memory_id',
  withRetired: boolean,
) {
  return eb
    .selectFrom('memories')
    .select('memories.brain_id')
    .whereRef('memories.id', '=', end)
    .$if(!withRetired, (query) => query.where('memories.archived_at', 'is', null));
}

/** Removes the links that a memory's former text caused. */
export async function deleteInferredLinks(db: Db, memoryId: string): Promise<void> {
  await db
    .deleteFrom('memory_links')
    .where((eb) => eb.or([eb('source_memory_id', '=', memoryId), eb('target_memory_id', '=', memoryId)]))
    .where('origin', 'in', ['automatic', 'detected'])
    .where('relationship_type', 'in', ['relates_to', 'conflicts_with'])
    .execute();
}
