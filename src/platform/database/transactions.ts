import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import { repeatWithAnswers } from '#platform/late-answers';
import { CompiledQuery, sql, type Kysely } from 'kysely';
import { buildBinding, type BindingSettings } from '#platform/binding';
import { toRefusal, isDeadlock } from './refusals.ts';

/**
 * Opens transactions bound to a workspace, on a pool. BEGIN and the binding statement are sent before the first query
 * without waiting for their answers, so they cost no extra round trip.
 */
export function createTransactions(db: Kysely<unknown>): Transactions {
  return {
    async run(workspaceId, mode, work, { mayRepeat = false } = {}) {
      const once = () => runBound(db, mode, { 'thalamus.workspace_id': workspaceId }, work);
      return mayRepeat ? repeatWithAnswers(() => retryOnDeadlock(once)) : once();
    },
  };
}

const mostAttempts = 4;

/** Repeats work, with growing pauses, as long as the database ends it because of a deadlock. */
async function retryOnDeadlock<T>(once: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      if (attempt === mostAttempts || !isDeadlock(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/**
 * A read that is bound to a credential or to the system instead of a workspace: row level security shows the rows whose
 * hash is presented, or the list of workspaces.
 */
export function readPresented<T>(db: Kysely<unknown>, presentedHash: string, work: (db: Db) => Promise<T>): Promise<T> {
  return runBound(db, 'read', { 'thalamus.presented_hash': presentedHash }, work);
}

/** The same for work that changes rows whose hashes it presents, such as those of an identity. */
export function writePresented<T>(
  db: Kysely<unknown>,
  presentedHashes: readonly string[],
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return runBound(db, 'write', { 'thalamus.presented_hash': presentedHashes.join(',') }, work);
}

/** Presents hashes in an open transaction, for this work only. */
export function withPresentedHashes<T>(db: Db, hashes: readonly string[], work: () => Promise<T>): Promise<T> {
  return withSetting(db, 'thalamus.presented_hash', hashes.join(','), work);
}

/** Binds an open transaction to another workspace, for this work only. */
export function withWorkspaceBound<T>(db: Db, workspaceId: string, work: () => Promise<T>): Promise<T> {
  return withSetting(db, 'thalamus.workspace_id', workspaceId, work);
}

/** Makes the list of workspaces visible in an open transaction, for this work only. */
export function withVisibleWorkspaces<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return withSetting(db, 'thalamus.system', 'on', work);
}

/**
 * Makes uninstalled boards, automations and workflows visible in an open transaction, for this work only: for what
 * recovers or removes them, and for ends that must reach them, too.
 */
export function withVisibleUninstalled<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return withSetting(db, 'thalamus.uninstalled', 'on', work);
}

async function withSetting<T>(db: Db, name: string, value: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string | null }>`select current_setting(${name}, true) as before`.execute(db);
  const set = (text: string) => sql`select set_config(${name}, ${text}, true)`.execute(db);
  await set(value);
  const answer = await work(); // an error ends the transaction, and with it the setting
  await set(rows[0]?.before ?? '');
  return answer;
}

/** Makes the rows with this hash visible for the rest of a transaction that began with a credential. */
export async function presentHash(db: Db, hash: string): Promise<void> {
  await sql`select set_config('thalamus.presented_hash', ${hash}, true)`.execute(db);
}

/** Continues in the workspace of the presented credential. */
export async function enterWorkspace(db: Db, workspaceId: string): Promise<void> {
  await sql`select set_config('thalamus.workspace_id', ${workspaceId}, true)`.execute(db);
}

/** Work of the server itself over the list of workspaces; nothing else is visible to it. */
export function runAsSystem<T>(db: Kysely<unknown>, work: (db: Db) => Promise<T>): Promise<T> {
  return runBound(db, 'write', { 'thalamus.system': 'on' }, work);
}

async function runBound<T>(
  db: Kysely<unknown>,
  mode: 'read' | 'write',
  settings: BindingSettings,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const answer = Promise.withResolvers<T>();
  let isEnding = false;
  const finished = db.connection().execute(async (connection) => {
    const isOpen = open(connection, mode, settings);
    try {
      const value = await work(connection as Db);
      await isOpen;
      if (mode === 'read') answer.resolve(value);
      isEnding = mode === 'write';
      await connection.executeQuery(CompiledQuery.raw('commit'));
      return value;
    } catch (error) {
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  });
  finished.then(answer.resolve, (error: unknown) => answer.reject(toRefusal(error, { isEnding })));
  return answer.promise;
}

/**
 * Sends the statements that open the transaction. Their errors appear in the first query of the work, which then fails,
 * too. They go directly to the driver's connection, because the query builder would hold back each query until the
 * previous answer.
 */
function open(builder: Kysely<unknown>, mode: 'read' | 'write', settings: BindingSettings): Promise<unknown> {
  const { text, values } = buildBinding(settings);
  let isOpen: Promise<unknown> = Promise.resolve();
  const isSent = builder.getExecutor().provideConnection(async (connection) => {
    isOpen = Promise.all([
      connection.executeQuery(CompiledQuery.raw(mode === 'read' ? 'begin read only' : 'begin')),
      connection.executeQuery(CompiledQuery.raw(text, values)),
    ]);
  });
  const isOpened = isSent.then(() => isOpen);
  isOpened.catch(() => {});
  return isOpened;
}
