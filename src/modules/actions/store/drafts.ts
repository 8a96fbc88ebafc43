import type { Preview } from '#kernel/action';
import type { Caller } from '#kernel/caller';
import type { Located } from '#kernel/resource';
import { sql, type Kysely } from 'kysely';
import type { Ruling } from '../policy/ask-policy.ts';
import { isSettled, mayFollow, type DraftState } from '../draft-states.ts';

export type DraftRow = {
  id: string;
  workspace_id: string;
  /** Where it was drafted; null once that brain was deleted. */
  brain_id: string | null;
  person_id: string;
  connection_id: string;
  account: string;
  source: string;
  action: string;
  payload: Record<string, unknown>;
  payload_hash: string;
  preview: Preview;
  batch_id: string | null;
  /** The draft that this one is sent again for; whether that one arrived, nobody could know. */
  follows_id: string | null;
  notify_targets: string[];
  drafted_by: string;
  drafted_by_label: string;
  /** Null in drafts of before there were rules, as is `policy`. */
  drafted_by_kind: Caller['kind'] | null;
  /** What the policy answered. */
  policy: Ruling | null;
  status: DraftState;
  handle: Record<string, unknown> | null;
  send_started_at: Date | null;
  lease_token: number;
  lease_until: Date | null;
  ask_at: Date | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  decided_by_label: string | null;
  settled_at: Date | null;
  result: Record<string, unknown> | null;
  error: (Record<string, unknown> & { message: string }) | null;
};
type Tables = { drafts: DraftRow };
type Db = Kysely<Tables>;

export type NewDraft = Omit<
  DraftRow,
  | 'status'
  | 'handle'
  | 'send_started_at'
  | 'lease_token'
  | 'lease_until'
  | 'ask_at'
  | 'decided_at'
  | 'decided_by'
  | 'decided_by_label'
  | 'settled_at'
  | 'result'
  | 'error'
>;

/** Stores a draft, unless the same caller has an equal one pending: then that one is the answer. */
export async function insertDraft(db: Db, draft: NewDraft): Promise<{ row: DraftRow; isNew: boolean }> {
  const row = await db
    .insertInto('drafts')
    .values({
      ...draft,
      payload: json(draft.payload),
      preview: json(draft.preview),
      policy: json(draft.policy),
      status: 'pending',
      lease_token: 0,
    } as never) // columns left out are null, which the insert type cannot say per column here
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'drafted_by', 'payload_hash']).where('status', '=', 'pending').doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (row) return { row, isNew: true };
  const existing = await db
    .selectFrom('drafts')
    .selectAll()
    .where('drafted_by', '=', draft.drafted_by)
    .where('payload_hash', '=', draft.payload_hash)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return { row: existing, isNew: false };
}

/** Marks what nobody decided in time; answers what that was. */
export async function expirePending(db: Db, at: Date): Promise<Pick<DraftRow, 'id' | 'workspace_id'>[]> {
  return db
    .updateTable('drafts')
    .set({ status: 'expired', settled_at: at })
    .where('status', '=', 'pending')
    .where('expires_at', '<=', at)
    .returning(['id', 'workspace_id'])
    .execute();
}

export async function findDraft(db: Db, id: string): Promise<DraftRow> {
  return db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The draft, held until the transaction ends: whoever else wants to decide waits. */
export async function lockDraft(db: Db, id: string): Promise<DraftRow> {
  return db.selectFrom('drafts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function locateDrafts(db: Db, ids: readonly string[], personId: string): Promise<Located[]> {
  const rows = await db
    .selectFrom('drafts')
    .select('id')
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: null }));
}

/** Drafts of a brain that are not settled, oldest first; whoever wants to decide about one waits. */
export async function lockOpenDraftsOf(db: Db, brainId: string): Promise<Pick<DraftRow, 'id' | 'status'>[]> {
  return db
    .selectFrom('drafts')
    .select(['id', 'status'])
    .where('brain_id', '=', brainId)
    .where('status', 'in', ['pending', 'confirming'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

export type DraftFilter = {
  personId: string;
  statuses?: readonly DraftState[];
  source?: string;
  liveAt?: Date;
  limit: number;
};

/** A person's drafts, newest first. `liveAt` leaves out what had expired by then. */
export async function listDrafts(db: Db, filter: DraftFilter): Promise<DraftRow[]> {
  const { personId, statuses, source, liveAt, limit } = filter;
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('person_id', '=', personId)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .$if(liveAt !== undefined, (query) => query.where('expires_at', '>', liveAt ?? new Date(0)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What may change with a step of a draft's life. */
export type Change = Partial<
  Pick<
    DraftRow,
    | 'payload'
    | 'payload_hash'
    | 'preview'
    | 'policy'
    | 'handle'
    | 'send_started_at'
    | 'decided_at'
    | 'decided_by'
    | 'decided_by_label'
    | 'settled_at'
    | 'result'
    | 'error'
    | 'lease_until'
    | 'ask_at'
  >
>;

/** The only way a draft's state changes: from the state it is in, by the table of states. Throws when the table forbids it. */
export async function moveDraft(
  db: Db,
  draft: Pick<DraftRow, 'id' | 'status'>,
  to: DraftState,
  change: Change,
): Promise<void> {
  if (!mayFollow(draft.status, to)) throw new Error(`a draft cannot go from ${draft.status} to ${to}`);
  const row = await db
    .updateTable('drafts')
    .set({ ...withJson(change), status: to, ...(isSettled(to) && { lease_until: null }) })
    .where('id', '=', draft.id)
    .where('status', '=', draft.status)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new Error('a draft changed while it was held');
}

/** Takes the right to send or to reconcile. Undefined: the draft is settled, or somebody else is at it. */
export async function takeDraftLease(db: Db, id: string, at: Date, until: Date): Promise<DraftRow | undefined> {
  return db
    .updateTable('drafts')
    .set({ lease_token: sql`lease_token + 1`, lease_until: until })
    .where('id', '=', id)
    .where('status', 'in', ['confirming', 'ambiguous'])
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', at)]))
    .returningAll()
    .executeTakeFirst();
}

/** Notes something on a draft without changing its state. False when the lease was lost: then nothing may be sent. */
export async function noteOnDraft(
  db: Db,
  draft: Pick<DraftRow, 'id' | 'lease_token'>,
  change: Change,
): Promise<boolean> {
  const row = await db
    .updateTable('drafts')
    .set(withJson(change))
    .where('id', '=', draft.id)
    .where('lease_token', '=', draft.lease_token)
    .where('lease_until', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

function withJson({ payload, preview, policy, handle, result, error, ...rest }: Change) {
  return {
    ...rest,
    ...(payload && { payload: json(payload) }),
    ...(preview && { preview: json(preview) }),
    ...(policy && { policy: json(policy) }),
    ...(handle && { handle: json(handle) }),
    ...(result && { result: json(result) }),
    ...(error && { error: json(error) }),
  };
}

function json<T>(value: T) {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}
