// What is stored of readings: which install is due, what was read, and why a reading failed.
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { buildExtendedLease, buildRevokedLease, buildTakenLease, isFree, isLeaseHeld, released } from '#platform/lease';
import { sql, type Kysely } from 'kysely';
import { moveInstallState, type InstallState } from '../install-states.ts';
import type { RecipeInstallRow } from './tables.ts';

/** What a reading did, for the counters of its install. */
export type ReadingCounts = { requests: number; retries: number; items: number; pages: number; bytes: number };

/** An install with what is known of its readings. */
export type ReadingRow = RecipeInstallRow & {
  read_at: Date | null;
  failure: string | null;
  failed_at: Date | null;
  failures: number;
};
type Db = Kysely<{ recipe_installs: ReadingRow }>;

/** Only such installs are read. */
const readStates: readonly InstallState[] = ['active', 'failing'];

export async function findInstall(db: Db, id: string): Promise<ReadingRow | undefined> {
  return selectInstalled(db).selectAll().where('id', '=', id).executeTakeFirst();
}

/** An install, locked until the transaction ends. */
export async function lockInstall(db: Db, id: string): Promise<ReadingRow | undefined> {
  return selectInstalled(db).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

function selectInstalled(db: Db) {
  return db.selectFrom('recipe_installs').where('uninstalled_at', 'is', null);
}

/** Installs in these brains whose recipes declare actions. */
export async function listActingInstalls(db: Db, brainIds: readonly string[]): Promise<ReadingRow[]> {
  if (!brainIds.length) return [];
  return selectInstalled(db)
    .selectAll()
    .where('brain_id', 'in', brainIds)
    .where('state', '!=', 'paused')
    .where(sql<boolean>`jsonb_array_length(coalesce(base -> 'recipe' -> 'actions', '[]')) > 0`)
    .orderBy('created_at')
    .limit(200)
    .execute();
}

/** Installs in these brains, by name. */
export async function listInstalls(
  db: Db,
  brainIds: readonly string[],
  { state, limit, offset }: { state?: InstallState | undefined; limit: number; offset: number },
): Promise<{ rows: ReadingRow[]; total: number }> {
  if (!brainIds.length) return { rows: [], total: 0 };
  const query = selectInstalled(db)
    .where('brain_id', 'in', brainIds)
    .$if(state !== undefined, (those) => those.where('state', '=', state!)); // given right before
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: Number(total) };
}

type InstallUpdate = Pick<ReadingRow, 'inputs' | 'base' | 'connection_id' | 'state'> & {
  /** In whose name it works from now on; absent: as before. */
  person_id?: string;
  at: Date;
  /** It is read at once; otherwise never by itself. */
  isDue: boolean;
};

/** Changes an install. A reading that is under way stores nothing more. */
export async function updateInstall(
  db: Db,
  id: string,
  { inputs, base, at, isDue, ...update }: InstallUpdate,
): Promise<ReadingRow> {
  return db
    .updateTable('recipe_installs')
    .set({
      ...update,
      inputs: toJsonColumn(inputs),
      base: toJsonColumn(base),
      next_at: isDue ? computeTimeFromNow() : null,
      failure: null,
      failures: 0,
      updated_at: at,
      ...buildRevokedLease('recipe_installs'),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Pauses what is read in the name of a person. */
export async function pausePersonReadings(db: Db, personId: string, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('recipe_installs')
    .set({
      state: 'paused',
      next_at: null,
      failure: reason,
      failed_at: at,
      updated_at: at,
      ...buildRevokedLease('recipe_installs'),
    })
    .where('person_id', '=', personId)
    .where('entity_kind', '=', 'integration')
    .whereRef('entity_id', '=', 'id')
    .where('state', 'in', ['active', 'failing', 'needs_setup'])
    .execute();
}

/** Due installs of all workspaces. */
export async function listDueInstalls(db: Db, most: number): Promise<{ id: string; workspace_id: string }[]> {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    select install_id as id, workspace_id from list_due_recipe_installs(${most})`.execute(db);
  return rows;
}

/** Takes the right to read for so long. Undefined: another process has it, or it is not due where it has to be. */
export async function beginReading(
  db: Db,
  id: string,
  { forMs, isDue }: { forMs: number; isDue: boolean },
): Promise<ReadingRow | undefined> {
  return db
    .updateTable('recipe_installs')
    .set(buildTakenLease(forMs))
    .where('id', '=', id)
    .where('state', 'in', readStates)
    .where(isFree)
    .$if(isDue, (query) => query.where('next_at', '<=', computeTimeFromNow()))
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the right to read. False: another process has it by now, or the install was paused, changed or uninstalled. */
export async function keepReading(db: Db, install: ReadingRow, forMs: number): Promise<boolean> {
  const still = await updateLeased(db, install).set(buildExtendedLease(forMs)).returning('id').executeTakeFirst();
  return still !== undefined;
}

type ReadingEnd = { counts: ReadingCounts; at: Date; nextAt: Date | null };

/** Notes that an install was read. `errors`: of single items; null: there were none. */
export async function noteRead(
  db: Db,
  install: ReadingRow,
  { counts, at, nextAt, errors }: ReadingEnd & { errors: string | null },
): Promise<void> {
  await updateLeased(db, install)
    .set({
      state: moveInstallState(install.state, 'active'),
      read_at: at,
      failure: errors,
      failures: 0,
      ...endWith(counts, nextAt),
    })
    .execute();
}

/** Notes why a reading failed. The pages stay, with their age. */
export async function noteReadingFailure(
  db: Db,
  install: ReadingRow,
  { counts, at, nextAt, failure }: ReadingEnd & { failure: string },
): Promise<void> {
  await updateLeased(db, install)
    .set({
      state: moveInstallState(install.state, 'failing'),
      failure,
      failed_at: at,
      failures: sql`failures + 1`,
      ...endWith(counts, nextAt),
    })
    .execute();
}

function endWith(counts: ReadingCounts, nextAt: Date | null) {
  const added = Object.entries(counts).map(
    ([name, count]) => sql`${name}::text, coalesce((counters ->> ${name})::bigint, 0) + ${count}::bigint`,
  );
  const counters = sql<Record<string, number>>`counters || jsonb_build_object(${sql.join(added)})`;
  return { counters, next_at: nextAt, ...released };
}

function updateLeased(db: Db, install: ReadingRow) {
  return db
    .updateTable('recipe_installs')
    .where('id', '=', install.id)
    .where('state', 'in', readStates)
    .where(isLeaseHeld(install));
}
