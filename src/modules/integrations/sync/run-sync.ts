// One reading of a sync. Each batch is stored together with the cursor, so a crash repeats one batch at most and loses
// none.
import { createCaller, type Caller } from '#kernel/caller';
import type { Calls } from '#kernel/calls';
import type { Context } from '#kernel/context';
import type { EmitEvent } from '#kernel/event';
import type { Db, Transactions } from '#kernel/database';
import { isAtLeast } from '#kernel/caller';
import { checkSyncRead, type ReadRuling } from '#modules/policy';
import { findConnection, recordSync, type ConnectionRow } from '#modules/connections';
import { storePages } from '#modules/pages';
import type { Jobs } from '#platform/jobs';
import { keepLease } from '#platform/lease';
import type { Log } from '#platform/log';
import { syncChanged } from '../events.ts';
import { takeInPageFiles, takeInLeftFiles, type Shelf } from '../files/take-in.ts';
import type { Link } from '#providers/http';
import type { ReaderOf } from '../reader.ts';
import { type Changes, type ItemError, type Source, WithheldError } from '#providers/reading';
import { forgetLeftOut, forgetListed, keepLeftOut, keepListed, readListedItems } from '../store/item-locations.ts';
import { beginReading, endReading, keepProgress, keepReading, noteErrors, type SyncRow } from '../store/syncs.ts';
import { planSyncRetry, describeSyncFailure } from './failures.ts';
import { MayNotWrite } from './may-not-write.ts';
import { takeAwayLeft, withoutMoved } from './moves.ts';
import { sweep } from './sweep-deleted.ts';

export type SyncDeps = {
  transactions: Transactions;
  findSource: (name: string) => Source | undefined;
  createReader: ReaderOf;
  readRole: (db: Db, personId: string) => Promise<Caller['role'] | null>;
  calls: Calls;
  emitEvent: EmitEvent;
  /** How many bytes of files a workspace may store. */
  attachmentRoom: number;
  jobs: Jobs;
  log: Pick<Log, 'warn'>;
  now: () => Date;
  newId: () => string;
};

/** The lease is renewed during the reading, so that another process can continue soon after a crash. */
const leaseMs = 30_000;
const renewalMs = 10_000;
const dayMs = 24 * 60 * 60_000;
const mostErrors = 50;
/** How often an item that a failing provider does not return is retried. Then it is skipped and reported. */
const mostTries = 3;

/** Runs one due sync, unless another process does. Stores errors on its row. */
export async function runSync(syncing: SyncDeps, workspaceId: string, syncId: string): Promise<void> {
  const { transactions } = syncing;
  const row = await transactions.run(workspaceId, 'write', (db) => beginReading(db, syncId, leaseMs));
  if (!row) return;
  // When the lease cannot be renewed, reading stops: nothing may be stored without the lease.
  await using _lease = keepLease(() => transactions.run(workspaceId, 'write', (db) => keepReading(db, row, leaseMs)), {
    everyMs: renewalMs,
    onError: (err) => syncing.log.warn({ err, sync_id: row.id }, 'the lease of a sync could not be renewed'),
  });
  try {
    await read(syncing, row);
    await end(syncing, row, { waitMs: row.every_minutes * 60_000, failure: null });
  } catch (error) {
    if (error instanceof TakenOver) return;
    const failed = {
      ...planSyncRetry(error, row),
      failure: describeSyncFailure(error),
      trouble: countWithheldItems(error, row),
    };
    syncing.log.warn({ err: error, sync_id: row.id }, 'a sync could not be read');
    await end(syncing, row, failed);
  }
}

/** For each item, in how many readings in a row the provider did not return it. */
function countWithheldItems(error: unknown, { trouble }: SyncRow): SyncRow['trouble'] {
  if (!(error instanceof WithheldError)) return trouble;
  return Object.fromEntries(error.items.map((item) => [item, (trouble[item] ?? 0) + 1]));
}

/** Another process runs this sync now, or it was stopped. */
class TakenOver extends Error {}

async function read(syncing: SyncDeps, row: SyncRow): Promise<void> {
  const source = syncing.findSource(row.source);
  if (!source?.changes) throw new Error(`there is no source ${row.source} that can be synced`);
  const { connection, ruling } = await loadConnection(syncing, row);
  const link: Link = { workspaceId: row.workspace_id, connectionId: row.connection_id, provider: source.provider };
  const now = syncing.now();
  const from = row.days === null ? null : new Date(now.getTime() - row.days * dayMs);
  const isSkippable = (item: string) => (row.trouble[item] ?? 0) >= mostTries;
  const sofar: SoFar = { done: 0, changed: 0, errors: [] };
  const reader = syncing.createReader(link, connection, ruling);
  const shelf = createShelf(syncing, row);
  note(sofar, await takeInLeftFiles(shelf, { source, reader }));
  const listed = (list: string) =>
    syncing.transactions.run(row.workspace_id, 'read', (db) => readListedItems(db, row, list));
  const since = { cursor: row.cursor, from, now, isSkippable, listed };
  for await (const batch of source.changes(reader, since, row.input)) {
    sofar.done += batch.pages.length + batch.errors.length;
    note(sofar, batch.errors);
    const { pageIds, changed } = await storeBatch(syncing, { row, account: connection.known_as }, batch, sofar);
    sofar.changed += changed;
    // Files are fetched while no transaction is open. Files that a crash leaves out are fetched by the next reading.
    note(sofar, await takeInPageFiles(shelf, { source, reader }, { pages: batch.pages, pageIds }));
  }
  await keepErrors(syncing, row, sofar.errors);
}

type SoFar = { done: number; changed: number; errors: ItemError[] };

/** A list that is read twice may report an item twice. */
function note({ errors }: SoFar, more: readonly ItemError[]): void {
  const isKnown = ({ item, message }: ItemError) =>
    errors.some((known) => known.item === item && known.message === message);
  errors.push(...more.filter((error) => !isKnown(error)).slice(0, mostErrors - errors.length));
}

function createShelf({ transactions, attachmentRoom: room, jobs, now, newId }: SyncDeps, row: SyncRow): Shelf {
  const { workspace_id: workspaceId, brain_id: brainId } = row;
  return {
    workspaceId,
    brainId,
    room,
    jobs,
    newId,
    transact: (work) => transactions.run(workspaceId, 'write', (db) => work(db, now())),
  };
}

/** Errors about files of the last batch are reported after that batch. */
async function keepErrors({ transactions }: SyncDeps, row: SyncRow, errors: readonly ItemError[]): Promise<void> {
  if (errors.length) await transactions.run(row.workspace_id, 'write', (db) => noteErrors(db, row, errors));
}

/** Throws when the policy no longer allows reading. */
async function loadConnection(
  { transactions }: SyncDeps,
  row: SyncRow,
): Promise<{ connection: ConnectionRow; ruling: ReadRuling }> {
  return transactions.run(row.workspace_id, 'read', async (db) => {
    const connection = await findConnection(db, row.connection_id);
    if (!connection) throw new TakenOver();
    return { connection, ruling: await checkSyncRead(db, row.source, connection.account) };
  });
}

/** Stores pages and the cursor, in one transaction. Returns the pages, and how many are new, changed or deleted. */
function storeBatch(
  syncing: SyncDeps,
  { row, account }: { row: SyncRow; account: string },
  batch: Changes,
  { done, changed, errors }: SoFar,
): Promise<{ pageIds: string[]; changed: number }> {
  return syncing.transactions.run(row.workspace_id, 'write', async (db) => {
    const ctx = await createSyncContext(syncing, db, row);
    const deletedCount = (await sweep(ctx, row, account, batch)) + (await takeAwayLeft(ctx, row, account, batch));
    if (batch.whole?.isFirst) await forgetSyncedItems(db, row);
    if (batch.listed) await keepListed(db, row, batch.listed.list, batch.listed.items);
    const refs = batch.pages.map(({ sourceRef }) => sourceRef);
    await keepLeftOut(db, row, { refs, leftOut: batch.leftOut ?? [], at: syncing.now() });
    const pages = await withoutMoved(ctx, row, batch);
    const stored = pages.length ? await storePages(ctx, row.brain_id, pages) : [];
    const more = stored.filter(({ change }) => change !== 'none').length + deletedCount;
    const progress = { cursor: batch.cursor, done, total: batch.total, changed: changed + more, errors };
    if (!(await keepProgress(db, row, progress, leaseMs))) throw new TakenOver();
    await ctx.emit(syncChanged({ sync_id: row.id, status: 'running' }, { brainId: row.brain_id }));
    return { pageIds: stored.map(({ id }) => id), changed: more };
  });
}

/** Deletes the known items of a sync before everything is read again. */
async function forgetSyncedItems(db: Db, row: SyncRow): Promise<void> {
  await forgetListed(db, row);
  await forgetLeftOut(db, row);
}

/** The context for storing in the name of the sync's creator. Throws when they may no longer write there. */
async function createSyncContext({ readRole, calls }: SyncDeps, db: Db, row: SyncRow): Promise<Context> {
  const role = await readRole(db, row.person_id);
  const caller = createCaller({
    kind: 'system',
    id: row.id,
    label: `sync of ${row.source}`,
    workspaceId: row.workspace_id,
    personId: row.person_id,
    role: role ?? 'member',
    scopes: new Set(['pages:read']),
    homeBrainId: row.brain_id,
  });
  const ctx = calls.systemContext(db, caller, row.id);
  const mine = (await ctx.brains()).roles.get(row.brain_id);
  if (!role || !mine || !isAtLeast(mine, 'editor')) throw new MayNotWrite();
  return ctx;
}

async function end(
  { transactions, emitEvent, now, newId }: SyncDeps,
  row: SyncRow,
  outcome: { waitMs: number; failure: string | null; isGivenUp?: boolean; trouble?: SyncRow['trouble'] },
): Promise<void> {
  await transactions.run(row.workspace_id, 'write', async (db) => {
    const at = now();
    await endReading(db, row, outcome);
    if (outcome.failure === null) await recordSync(db, row.connection_id, at);
    const status = outcome.failure === null ? 'waiting' : outcome.isGivenUp ? 'stopped' : 'failing';
    const event = syncChanged({ sync_id: row.id, status }, { brainId: row.brain_id });
    await emitEvent(db, event, { id: newId(), workspaceId: row.workspace_id, at });
  });
}
