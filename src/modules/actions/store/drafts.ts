import type { Preview, TargetSnapshot } from '#kernel/action';
import type { Caller } from '#kernel/caller';
import { createNotFoundError } from '#kernel/errors';
import type { Rule } from '#kernel/rule';
import { releaseFiles } from '#modules/pages';
import type { Ruling } from '#modules/policy';
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { noLease, released, type Lease } from '#platform/lease';
import { endSecret } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';
import { formatCanonicalJson } from '../canonical.ts';
import { isFinalState, mayFollow, type DraftState } from '../draft-states.ts';

export type DraftRow = Lease & {
  id: string;
  workspace_id: string;
  /** The brain where it was drafted; null once that brain was deleted. */
  brain_id: string | null;
  person_id: string;
  connection_id: string | null;
  account: string;
  source: string;
  action: string;
  payload: Record<string, unknown>;
  payload_hash: string;
  /** The original payload, if a person's edits changed `payload`; null: no edit. */
  drafted_payload: Record<string, unknown> | null;
  /** The original hash, by which an equal draft is recognised. */
  drafted_hash: string;
  edited_at: Date | null;
  edited_by: string | null;
  preview: Preview;
  batch_id: string | null;
  /** The draft that this one sends again; the outcome of that draft stays unknown. */
  follows_id: string | null;
  notify_targets: string[];
  drafted_by: string;
  drafted_by_label: string;
  /** The slot of the run that drafted it; null: no run did. */
  run_slot: string | null;
  /** Null in drafts from before rules existed, like `policy`. */
  drafted_by_kind: Caller['kind'] | null;
  /** The kind of caller that started the run which drafted it. */
  starter_kind: Caller['kind'] | null;
  /** The own rules of the key or client that drafted it. */
  own_rules: Rule[];
  /** The policy's answer. */
  policy: Ruling | null;
  status: DraftState;
  handle: Record<string, unknown> | null;
  send_started_at: Date | null;
  ask_at: Date | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  decided_by_label: string | null;
  settled_at: Date | null;
  /** When it was decided, expired or became stale; for a pending one, when it will expire. */
  ended_at: Date;
  result: Record<string, unknown> | null;
  error: (Record<string, unknown> & { message: string }) | null;
  /** The provider's data when it was drafted; null: no look-up is needed. */
  target: TargetSnapshot | null;
  /** Everybody the draft reaches, in lower case; empty in drafts from before this was stored. */
  reached: string[];
  /** Those of them who are external and whom no confirmed draft reached before. */
  newly_reached: string[];
  /** Whether its action is destructive; null: it was drafted before this was stored. */
  is_destructive: boolean | null;
};
type Tables = { drafts: DraftRow };

/** A provider is asked about a draft's outcome for a day. */
const competesForMs = 2 * 24 * 60 * 60 * 1000;
type Db = Kysely<Tables>;

export type NewDraft = { expiresInMs: number } & Omit<
  DraftRow,
  | 'expires_at'
  | 'status'
  | 'handle'
  | 'send_started_at'
  | keyof Lease
  | 'ask_at'
  | 'decided_at'
  | 'decided_by'
  | 'decided_by_label'
  | 'settled_at'
  | 'result'
  | 'error'
  | 'drafted_payload'
  | 'drafted_hash'
  | 'edited_at'
  | 'edited_by'
  | 'ended_at'
>;

/** Stores a draft, unless the same caller has an equal one pending: then that one is returned. */
export async function insertDraft(
  db: Db,
  { expiresInMs, ...draft }: NewDraft,
): Promise<{ row: DraftRow; isNew: boolean }> {
  const row = await db
    .insertInto('drafts')
    .values({
      ...draft,
      payload: toJsonColumn(draft.payload),
      drafted_hash: draft.payload_hash,
      expires_at: computeTimeFromNow(expiresInMs),
      preview: toJsonColumn(draft.preview),
      policy: toJsonColumn(draft.policy),
      own_rules: toJsonColumn(draft.own_rules),
      target: draft.target && toJsonColumn(draft.target),
      status: 'pending',
      ...noLease,
    } as never) // omitted columns are null, which the insert type cannot express per column
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'drafted_by', 'drafted_hash']).where('status', '=', 'pending').doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (row) return { row, isNew: true };
  const existing = await db
    .selectFrom('drafts')
    .selectAll()
    .where('drafted_by', '=', draft.drafted_by)
    .where('drafted_hash', '=', draft.payload_hash)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return existing ? { row: existing, isNew: false } : insertDraft(db, { expiresInMs, ...draft }); // the other one was decided meanwhile
}

/** The equal draft that an earlier run of an automation made for a slot, unless it ended without effect. */
export async function findDraftOfSlot(
  db: Db,
  { drafted_by, run_slot, payload_hash }: { drafted_by: string; run_slot: string; payload_hash: string },
): Promise<DraftRow | undefined> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('drafted_by', '=', drafted_by)
    .where('run_slot', '=', run_slot)
    .where('drafted_hash', '=', payload_hash)
    .where('status', 'not in', ['failed', 'stale', 'expired'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function findDraft(db: Db, id: string): Promise<DraftRow> {
  return db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Those of the drafts that exist, oldest first. */
export async function findDrafts(db: Db, ids: readonly string[]): Promise<DraftRow[]> {
  if (!ids.length) return [];
  return db.selectFrom('drafts').selectAll().where('id', 'in', ids).orderBy('created_at').orderBy('id').execute();
}

/** Locks a draft that is still pending with the shown content. False: it changed, or is no longer pending. */
export async function lockAsShown(
  db: Db,
  { id, payload_hash }: Pick<DraftRow, 'id' | 'payload_hash'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('drafts')
    .select('id')
    .where('id', '=', id)
    .where('payload_hash', '=', payload_hash)
    .where('status', '=', 'pending')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The draft that replaces another one. */
export async function findFollower(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('drafts').select('id').where('follows_id', '=', id).limit(1).executeTakeFirst();
  return row?.id;
}

/** The fields that two drafts of the same request have in common, whatever their look-ups and rules. */
export type EqualTo = Pick<DraftRow, 'drafted_by' | 'connection_id' | 'source' | 'action' | 'payload'>;

/** Prevents other drafts of this request until the transaction ends. Locked before any draft. */
export async function lockEqualRequest(db: Db, request: EqualTo): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wish ${formatCanonicalJson(request)}`}, 0))`.execute(db);
}

/** Pending drafts of the same request that have not expired, locked until the transaction ends. */
export async function lockEqualDrafts(db: Db, { payload, ...request }: EqualTo): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where((eb) => eb.and(request))
    .where((eb) => eb(eb.fn.coalesce('drafted_payload', 'payload'), '=', toJsonColumn(payload)))
    .where('status', '=', 'pending')
    .where('expires_at', '>', computeTimeFromNow())
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Moves a locked pending draft to another batch. */
export async function joinBatch(db: Db, id: string, batchId: string): Promise<void> {
  await db
    .updateTable('drafts')
    .set({ batch_id: batchId })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * A draft that the transaction has locked. `is_overdue`: its time to decide has passed, by the clock of the database.
 */
export type LockedDraft = DraftRow & { is_overdue: boolean };

/** The draft, locked until the transaction ends: every other decision waits. */
export async function lockDraft(db: Db, id: string): Promise<LockedDraft> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_overdue'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => createNotFoundError('draft'));
}

/** Another draft of the same action through the same account whose request may have been sent. */
export type CompetingDraft = Pick<DraftRow, 'id' | 'status' | 'payload' | 'handle' | 'result'>;

/**
 * Drafts whose effect could be mistaken for this one's, without those that ended long before. With `isHeld` no other
 * transaction reads them this way until this one ends.
 */
export async function listCompetingDrafts(
  db: Db,
  draft: DraftRow,
  { isHeld }: { isHeld: boolean },
): Promise<CompetingDraft[]> {
  const { id, connection_id, source, action, send_started_at } = draft;
  const name = `${connection_id} ${source} ${action}`;
  if (isHeld) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 28))`.execute(db);
  const since = new Date((send_started_at?.getTime() ?? 0) - competesForMs);
  return db
    .selectFrom('drafts')
    .select(['id', 'status', 'payload', 'handle', 'result'])
    .where((eb) => eb.and({ connection_id, source, action }))
    .where('id', '!=', id)
    .where('send_started_at', '>', since)
    .where('status', 'in', ['confirming', 'ambiguous', 'confirmed', 'undone'])
    .execute();
}

/** The fields that a step of a draft may change. */
export type Change = Partial<
  Pick<
    DraftRow,
    | 'payload'
    | 'payload_hash'
    | 'drafted_payload'
    | 'preview'
    | 'policy'
    | 'reached'
    | 'newly_reached'
    | 'is_destructive'
    | 'decided_at'
    | 'decided_by'
    | 'decided_by_label'
    | 'result'
    | 'error'
    | 'lease_until'
    | 'ask_at'
  >
>;

/**
 * Changes the row of a draft, only for `transition`: from its present state, by the table of states. Throws when the
 * table forbids it. A finished draft releases its files.
 */
export async function moveDraft(
  db: Db,
  draft: Pick<DraftRow, 'id' | 'status'>,
  to: DraftState,
  change: Change,
): Promise<void> {
  if (!mayFollow(draft.status, to)) throw new Error(`a draft cannot go from ${draft.status} to ${to}`);
  const row = await db
    .updateTable('drafts')
    .set({
      ...withJson(change),
      status: to,
      ...(isFinalState(to) && { ...released, ask_at: null }),
      ...(isFinalState(to) && to !== 'undone' && { settled_at: computeTimeFromNow() }), // the time for undo starts when it was sent
    })
    .where('id', '=', draft.id)
    .where('status', '=', draft.status)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new Error('a locked draft changed');
  if (isFinalState(to)) await releaseFiles(db as never, [draft.id]); // the same database, as another module types it
}

/** Changes a locked pending draft. An open question of a client about it becomes invalid. */
export async function changePending(
  db: Db,
  { id }: Pick<DraftRow, 'id'>,
  change: Change & Pick<DraftRow, 'edited_at' | 'edited_by'>,
): Promise<void> {
  await db
    .updateTable('drafts')
    .set(withJson(change))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  await endSecret(db, id);
}

/** The same, with its objects in the form that the database accepts. */
export function withJson<Rest extends Change>({
  payload,
  drafted_payload,
  preview,
  policy,
  result,
  error,
  ...rest
}: Rest) {
  return {
    ...rest,
    ...(payload && { payload: toJsonColumn(payload) }),
    ...(drafted_payload !== undefined && { drafted_payload: drafted_payload && toJsonColumn(drafted_payload) }),
    ...(preview && { preview: toJsonColumn(preview) }),
    ...(policy && { policy: toJsonColumn(policy) }),
    ...(result && { result: toJsonColumn(result) }),
    ...(error !== undefined && { error: error && toJsonColumn(error) }),
  };
}
