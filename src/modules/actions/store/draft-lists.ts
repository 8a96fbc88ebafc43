// Drafts of a viewer: their own, and those delegated to them.
import type { ItemLocation } from '#kernel/resource';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { DraftState } from '../draft-states.ts';
import type { Delegation } from './approvers.ts';
import type { DraftRow } from './drafts.ts';

type Db = Kysely<{ drafts: DraftRow }>;

/** The drafts that a viewer sees: their own, and those of others who delegated them. */
export type VisibleDrafts = {
  personId: string;
  /** The brain or the key whose drafts the viewer is limited to; null: drafts of all brains. */
  confinedTo: { brainId: string; keyId: string } | null;
  delegations: readonly Delegation[];
};

/** The drafts that a viewer sees. */
export async function locateDrafts(db: Db, ids: readonly string[], viewer: VisibleDrafts): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('drafts').select('id').where('id', 'in', ids).where(isVisibleTo(viewer)).execute();
  return rows.map((row) => ({ id: row.id, brainId: null }));
}

export type DraftFilter = {
  viewer: VisibleDrafts;
  /** Their state at a moment: undecided drafts count as expired after their time, whether or not they are marked. */
  states?: { of: readonly DraftState[]; at: Date };
  source?: string;
  action?: string;
  account?: string;
  connectionId?: string;
  batchId?: string;
  /** The key, session or run that drafted it. */
  draftedBy?: string;
  /** Drafted at or after this, and before that. */
  since?: Date;
  until?: Date;
};

/** Sort by drafting time, or by the time of the decision, expiry or staleness. */
const draftOrders = { drafted: 'created_at', ended: 'ended_at' } as const;
export type DraftOrder = keyof typeof draftOrders;

/** Drafts that a viewer sees, newest first; with `afterId` those that follow that draft. */
export async function listDrafts(
  db: Db,
  filter: DraftFilter & { order: DraftOrder; afterId?: string; limit: number },
): Promise<DraftRow[]> {
  const column = draftOrders[filter.order];
  return selectFiltered(db, filter)
    .selectAll()
    .$if(filter.afterId !== undefined, (query) => query.where(isAfterDraft(filter.afterId ?? '', column)))
    .orderBy(column, 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute();
}

export async function countDrafts(db: Db, filter: DraftFilter): Promise<number> {
  const { count } = await selectFiltered(db, filter)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function selectFiltered(db: Db, { viewer, states, since, until, ...by }: DraftFilter) {
  const equal = { source: by.source, action: by.action, account: by.account, connection_id: by.connectionId };
  const given = Object.entries({ ...equal, batch_id: by.batchId, drafted_by: by.draftedBy }).filter(
    ([, value]) => value !== undefined,
  );
  return db
    .selectFrom('drafts')
    .where(isVisibleTo(viewer))
    .where((eb) => eb.and(Object.fromEntries(given)))
    .$if(states !== undefined, (query) => query.where(isInStates(states?.of ?? [], states?.at ?? new Date(0))))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date(0)))
    .$if(until !== undefined, (query) => query.where('created_at', '<', until ?? new Date(0)));
}

/** `presentDraft` applies the same rule to a loaded draft. */
function isInStates(states: readonly DraftState[], at: Date) {
  const finalStates = states.filter((state) => state !== 'pending');
  const wanted = [
    ...(finalStates.length ? [sql<boolean>`status = any(${finalStates}::text[])`] : []),
    ...(states.includes('pending') ? [sql<boolean>`(status = 'pending' and expires_at > ${at})`] : []),
    ...(states.includes('expired') ? [sql<boolean>`(status = 'pending' and expires_at <= ${at})`] : []),
  ];
  return sql<boolean>`(${sql.join(wanted, sql` or `)})`;
}

/** After a draft in the order of lists. The index can use only the first comparison. */
function isAfterDraft(id: string, column: (typeof draftOrders)[DraftOrder]) {
  const at = sql.ref(column);
  const moment = sql`(select ${sql.ref(`place.${column}`)} from drafts as place where place.id = ${id})`;
  return sql<boolean>`${at} <= ${moment} and (${at}, id) < (${moment}, ${id}::uuid)`;
}

/** `covers` of the viewer applies the same rule to a loaded draft. */
export function isVisibleTo({ personId, confinedTo, delegations }: VisibleDrafts): RawBuilder<boolean> {
  const own = confinedTo
    ? sql<boolean>`(person_id = ${personId} and (brain_id = ${confinedTo.brainId} or drafted_by = ${confinedTo.keyId}))`
    : sql<boolean>`person_id = ${personId}`;
  if (!delegations.length) return own;
  const others = delegations.map(
    ({ person_id, sources, actions, created_at: named }) => sql<boolean>`(person_id = ${person_id}
      and (${sources}::text[] is null or source = any(${sources}::text[]))
      and (${actions}::text[] is null or action = any(${actions}::text[]))
      and coalesce(settled_at, case when status = 'pending' then expires_at end, 'infinity') >= ${named})`,
  );
  return sql<boolean>`(${sql.join([own, ...others], sql` or `)})`;
}
