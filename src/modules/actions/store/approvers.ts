// Delegations: who may decide about whose drafts.
import { sql, type Kysely } from 'kysely';

type ApproverRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  approver_id: string;
  sources: string[] | null;
  actions: string[] | null;
  until: Date | null;
  created_at: Date;
  ended_at: Date | null;
};
type Tables = { approvers: ApproverRow; people_directory: { id: string; name: string; email: string } };
type Db = Kysely<Tables>;

/** A valid delegation: who delegated which of their drafts to whom. */
export type Delegation = Omit<ApproverRow, 'ended_at'> & {
  person_name: string;
  approver_name: string;
  approver_email: string;
};

export async function insertDelegation(db: Db, delegation: Omit<ApproverRow, 'ended_at'>): Promise<void> {
  await db
    .insertInto('approvers')
    .values({ ...delegation, ended_at: null })
    .execute();
}

/** Serializes changes of a person's delegations, so that no equal one is stored twice. */
export async function lockPersonDelegations(db: Db, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approvers ${personId}`}, 0))`.execute(db);
}

/** Serializes delegations to a person, so that the limit holds. Taken after `lockPersonDelegations`. */
export async function lockApproverDelegations(db: Db, approverId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`named approver ${approverId}`}, 0))`.execute(db);
}

/**
 * The delegations of this kind that are active at a time, between people who are still in the workspace; oldest first.
 */
export async function listActiveDelegations(
  db: Db,
  of: { personId: string } | { approverId: string } | { id: string },
  at: Date,
): Promise<Delegation[]> {
  return selectActive(db, at)
    .$if('personId' in of, (query) => query.where('approvers.person_id', '=', 'personId' in of ? of.personId : ''))
    .$if('approverId' in of, (query) => query.where('approver_id', '=', 'approverId' in of ? of.approverId : ''))
    .$if('id' in of, (query) => query.where('approvers.id', '=', 'id' in of ? of.id : ''))
    .orderBy('approvers.created_at')
    .orderBy('approvers.id')
    .execute();
}

/**
 * The delegations by which a delegate may decide about a person's drafts, locked until the transaction ends: a
 * withdrawal waits, and withdrawn ones are left out.
 */
export async function lockDelegations(
  db: Db,
  { personId, approverId }: { personId: string; approverId: string },
  at: Date,
): Promise<Delegation[]> {
  return selectActive(db, at)
    .where('approvers.person_id', '=', personId)
    .where('approver_id', '=', approverId)
    .orderBy('approvers.created_at')
    .forShare('approvers')
    .execute();
}

function selectActive(db: Db, at: Date) {
  return db
    .selectFrom('approvers')
    .innerJoin('people_directory as person', 'person.id', 'approvers.person_id')
    .innerJoin('people_directory as approver', 'approver.id', 'approvers.approver_id')
    .selectAll('approvers')
    .select(['person.name as person_name', 'approver.name as approver_name', 'approver.email as approver_email'])
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', at)]));
}

/** Delegations by a person, or to that person, ended ones included. */
export async function locateDelegations(db: Db, ids: readonly string[], personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('approvers')
    .select('id')
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('person_id', '=', personId), eb('approver_id', '=', personId)]))
    .execute();
  return rows.map(({ id }) => id);
}

export async function setUntil(db: Db, id: string, until: Date | null): Promise<void> {
  await db.updateTable('approvers').set({ until }).where('id', '=', id).execute();
}

/** Ends a delegation. Ending one that has ended changes nothing. Returns its owner. */
export async function endDelegation(db: Db, id: string, at: Date): Promise<{ person_id: string; approver_id: string }> {
  return db
    .updateTable('approvers')
    .set({ ended_at: sql<Date>`coalesce(ended_at, ${at})` })
    .where('id', '=', id)
    .returning(['person_id', 'approver_id'])
    .executeTakeFirstOrThrow();
}

/** Ends every delegation by a person, and to them. */
export async function endDelegationsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('approvers')
    .set({ ended_at: at })
    .where((eb) => eb.or([eb('person_id', '=', personId), eb('approver_id', '=', personId)]))
    .where('ended_at', 'is', null)
    .execute();
}

/** A delegation, ended ones included. */
export async function findDelegation(db: Db, id: string): Promise<ApproverRow | undefined> {
  return db.selectFrom('approvers').selectAll().where('id', '=', id).executeTakeFirst();
}
