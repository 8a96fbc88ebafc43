import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isVisibleTo, type VisibleDrafts } from './draft-lists.ts';
import type { DraftState } from '../draft-states.ts';
import type { DraftRow } from './drafts.ts';

/** A person's possible reactions to a prompt; `auto`: it was shown, and needed none. */
export const ackDecisions = ['approved', 'declined', 'auto'] as const;
export type AckDecision = (typeof ackDecisions)[number];

type AckRow = {
  draft_id: string;
  person_id: string;
  workspace_id: string;
  decision: AckDecision;
  at: Date;
  /** The draft's state at their last reaction. */
  heard: DraftState;
};
type Db = Kysely<{ drafts: DraftRow; inbox_acks: AckRow }>;

/**
 * Whether a person who knows a draft's state must hear of another one: it failed, is ambiguous, or was sent after all.
 * The success of their own approval is not news.
 */
function isNews(heard: RawBuilder<string>, state: RawBuilder<string>): RawBuilder<boolean> {
  return sql`(${state} <> ${heard} and (
    ${state} in ('failed', 'stale', 'expired', 'ambiguous') or ${state} = 'confirmed' and ${heard} in ('failed', 'ambiguous')
  ))`;
}

const acknowledgedBefore = sql.ref<string>('inbox_acks.heard');

/**
 * Stores a reaction to a draft in its present state. The first reaction stays; a later one is stored when the draft has
 * news for them. Returns the stored one, and whether it was new.
 */
export async function insertAck(
  db: Db,
  ack: Omit<AckRow, 'heard'>,
): Promise<{ decision: AckDecision; isNew: boolean }> {
  const heard = db.selectFrom('drafts').select('status').where('id', '=', ack.draft_id);
  const row = await db
    .insertInto('inbox_acks')
    .values({ ...ack, heard })
    .onConflict((conflict) =>
      conflict
        .columns(['draft_id', 'person_id'])
        .doUpdateSet({ heard: sql.ref('excluded.heard') })
        .where(isNews(acknowledgedBefore, sql.ref('excluded.heard'))),
    )
    .returning('decision')
    .executeTakeFirst();
  if (row) return { decision: row.decision, isNew: true };
  const { decision } = await db
    .selectFrom('inbox_acks')
    .select('decision')
    .where('draft_id', '=', ack.draft_id)
    .where('person_id', '=', ack.person_id)
    .executeTakeFirstOrThrow();
  return { decision, isNew: false };
}

/**
 * Drafts of a viewer that are pending, or ended since a time, and have no reaction to their present state; newest
 * first. A draft is left out if the one that replaces it is listed.
 */
export async function listUnacked(
  db: Db,
  { viewer, at, finishedSince, limit }: { viewer: VisibleDrafts; at: Date; finishedSince: Date; limit: number },
): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where(isVisibleTo(viewer))
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'pending'), eb('expires_at', '>', at)]),
        eb.and([
          eb('status', 'in', ['confirmed', 'failed', 'stale', 'expired']),
          eb('settled_at', '>', finishedSince),
          sql<boolean>`error->>'is_replaced' is distinct from 'true'`,
          sql<boolean>`not exists (select 1 from drafts as follower where follower.follows_id = drafts.id)`,
        ]),
        eb('status', '=', 'ambiguous'),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('inbox_acks')
            .select(sql`1`.as('one'))
            .whereRef('inbox_acks.draft_id', '=', 'drafts.id')
            .where('inbox_acks.person_id', '=', viewer.personId)
            .where(({ not }) => not(isNews(acknowledgedBefore, sql.ref('drafts.status')))),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
