import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Viewer } from '../approvers/viewer.ts';
import { isSeenBy } from './draft-lists.ts';
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
  heard_at: Date | null;
};
type Db = Kysely<{ drafts: DraftRow; inbox_acks: AckRow }>;

/**
 * Whether something came of a draft after somebody had heard of it that they have to hear of, too: that it was not carried out, that
 * nobody knows, or that it was done after all. A plain yes that was followed is none.
 */
const isOvertaken: RawBuilder<boolean> = sql`exists (
  select 1 from drafts as draft
  where draft.id = inbox_acks.draft_id
    and (
      draft.status in ('failed', 'stale', 'expired', 'ambiguous')
      or draft.status = 'confirmed' and exists (
        select 1 from draft_ledger
        where draft_id = draft.id and step in ('failed', 'ambiguous') and at <= coalesce(inbox_acks.heard_at, inbox_acks.at)
      )
    )
    and coalesce(inbox_acks.heard_at, inbox_acks.at) < coalesce(
      draft.settled_at,
      (select max(at) from draft_ledger where draft_id = draft.id and step = 'ambiguous')
    )
)`;

/**
 * Stores what somebody said. The first word stays; said again once something has come of the draft since, it is noted that they heard
 * of that. Answers what is stored, and whether this was new.
 */
export async function insertAck(
  db: Db,
  ack: Omit<AckRow, 'heard_at'>,
): Promise<{ decision: AckDecision; isNew: boolean }> {
  const row = await db
    .insertInto('inbox_acks')
    .values({ ...ack, heard_at: null })
    .onConflict((conflict) =>
      conflict.columns(['draft_id', 'person_id']).doUpdateSet({ heard_at: ack.at }).where(isOvertaken),
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
            .where(({ not }) => not(isOvertaken)),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
