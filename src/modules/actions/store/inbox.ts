import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Viewer } from '../approvers/viewer.ts';
import { isSeenBy } from './draft-lists.ts';
import type { DraftState } from '../draft-states.ts';
import type { DraftRow } from './drafts.ts';

/** What a person can say to a prompt; `auto`: it was shown, and nothing was to be said. */
export const ackDecisions = ['approved', 'declined', 'auto'] as const;
export type AckDecision = (typeof ackDecisions)[number];

type AckRow = {
  draft_id: string;
  person_id: string;
  workspace_id: string;
  decision: AckDecision;
  at: Date;
  /** The draft's state when they last said something. */
  heard: DraftState;
};
type Db = Kysely<{ drafts: DraftRow; inbox_acks: AckRow }>;

/**
 * Whether a person who heard of a draft in one state has to hear of it in another: it was not carried out, nobody knows, or it was done
 * after all. An approval that was followed is no news.
 */
function isNews(heard: RawBuilder<string>, state: RawBuilder<string>): RawBuilder<boolean> {
  return sql`(${state} <> ${heard} and (
    ${state} in ('failed', 'stale', 'expired', 'ambiguous') or ${state} = 'confirmed' and ${heard} in ('failed', 'ambiguous')
  ))`;
}

const heardBefore = sql.ref<string>('inbox_acks.heard');

/**
 * Stores what somebody said about a draft as it is. The first word stays; what is said again is noted when the draft is news to them.
 * Answers what is stored, and whether this was new.
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
        .where(isNews(heardBefore, sql.ref('excluded.heard'))),
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
 * Drafts of a viewer that wait, or were settled since, and that they have said nothing to as they are; newest first. One that another
 * stands for is not told of beside that.
 */
export async function listUnacked(
  db: Db,
  { viewer, at, settledSince, limit }: { viewer: Viewer; at: Date; settledSince: Date; limit: number },
): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where(isSeenBy(viewer))
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'pending'), eb('expires_at', '>', at)]),
        eb.and([
          eb('status', 'in', ['confirmed', 'failed', 'stale', 'expired']),
          eb('settled_at', '>', settledSince),
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
            .where(({ not }) => not(isNews(heardBefore, sql.ref('drafts.status')))),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
