import { sql, type Kysely } from 'kysely';
import type { DraftRow } from './drafts.ts';

/** What a person can say to a prompt; `auto`: it was shown, and nothing was to be said. */
export const ackDecisions = ['approved', 'declined', 'auto'] as const;
export type AckDecision = (typeof ackDecisions)[number];

type AckRow = { draft_id: string; person_id: string; workspace_id: string; decision: AckDecision; at: Date };
type Db = Kysely<{ drafts: DraftRow; inbox_acks: AckRow }>;

/** Stores what somebody said. False when they had said something before: the first one stays. */
export async function insertAck(db: Db, ack: AckRow): Promise<boolean> {
  const row = await db
    .insertInto('inbox_acks')
    .values(ack)
    .onConflict((conflict) => conflict.doNothing())
    .returning('draft_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * A person's drafts that wait, or were settled since, and that they have said nothing to as they are; newest first. One that another
 * stands for is not told of beside that.
 */
export async function listUnacked(
  db: Db,
  { personId, at, settledSince, limit }: { personId: string; at: Date; settledSince: Date; limit: number },
): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('person_id', '=', personId)
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
            .where('inbox_acks.person_id', '=', personId),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
