// Reads the `searchable` view. Every read uses one snapshot, and the next read takes exactly the rows whose
// transactions that snapshot did not see. An increasing number could not do this, because transactions end in another
// order than they begin.
import { formatBinding } from '#platform/binding';
import type { Pool, PoolClient } from 'pg';
import { momentColumns, type SnapshotMoment } from './moments.ts';
import type { Searchable, SearchableKind } from './searchable.ts';
import { readStatements } from './read-statements.ts';

export type Change = {
  readonly id: string;
  readonly brainId: string;
  /** Null when it was deleted or archived, or is in a brain that was not requested. */
  readonly row: Searchable | null;
};

type Row = {
  id: string;
  /** Set when several brains are read. */
  brain_id?: string;
  /** False: only the fact that the row changed is reported. */
  is_wanted?: boolean;
  changed_xact: string;
  kind: SearchableKind;
  type: string;
  salience: string | null;
  title: string | null;
  body: string | null;
  labels: string | null;
  author: string | null;
  role: string | null;
  thread_id: string | null;
  /** Seconds since 1970. */
  occurred_at: number;
  ends_at: number | null;
  is_whole_day: boolean;
  source: string | null;
  owner_id: string | null;
};

const rowsPerBatch = 300;
// Only items of connectors have an owner, so no owner is looked up for other items.
const owner = `case when kind = 'memory' and source is not null then (select stored_by from stored_memories where id = searchable.id) end`;
const columns = `id, changed_xact::text, kind, type, salience, author, role, thread_id, occurred_at, ends_at, is_whole_day, source, ${owner} as owner_id`;

/** Receives batches of changes. Created when the languages of the existing brains are known, by brain id. */
type BeginReading = (languages: ReadonlyMap<string, string>, now: SnapshotMoment) => (changes: Change[]) => void;

/**
 * Reads the live rows of one brain in batches. Returns its moment, from which `readChanges` continues. `onTotal`
 * receives the number of rows of a brain that needs more than one batch.
 */
export function readBrain(
  pool: Pool,
  { workspaceId, brainId }: { workspaceId: string; brainId: string },
  begin: BeginReading,
  onTotal: (total: number) => void,
): Promise<SnapshotMoment> {
  return readSnapshot(pool, { workspaceId, brainIds: [brainId], onTotal }, begin, (quote) => ({
    rows: `${columns}, title, body, labels`,
    where: `workspace_id = ${quote(workspaceId)} and brain_id = ${quote(brainId)} and is_live`,
  }));
}

/**
 * Reads in batches the changes of a workspace since a moment. Rows of brains other than the given ones are reported
 * too, without their text, because they may have been moved there.
 */
export function readChanges(
  pool: Pool,
  { since, ...where }: BrainFilter & { since: SnapshotMoment },
  begin: BeginReading,
): Promise<SnapshotMoment> {
  return readSnapshot(pool, where, begin, (quote) => {
    const isWanted = `(is_live and brain_id = any(${quote(formatIdArray(where.brainIds))}::uuid[]))`;
    const text = ['title', 'body', 'labels'].map((column) => `case when ${isWanted} then ${column} end as ${column}`);
    const snapshot = `${quote(since.snapshot)}::pg_snapshot`;
    // The comparison is implied by what follows it, and can use an index.
    return {
      rows: `${columns}, brain_id, ${isWanted} as is_wanted, ${text.join(', ')}`,
      where: `workspace_id = ${quote(where.workspaceId)} and changed_xact >= pg_snapshot_xmin(${snapshot})
        and not pg_visible_in_snapshot(changed_xact, ${snapshot})`,
    };
  });
}

type BrainFilter = { readonly workspaceId: string; readonly brainIds: readonly string[] };
type ChangeQuery = BrainFilter & { readonly onTotal?: (total: number) => void };
type Quote = (value: string) => string;
type BuildSelect = (quote: Quote) => { rows: string; where: string };

async function readSnapshot(
  pool: Pool,
  where: ChangeQuery,
  begin: BeginReading,
  select: BuildSelect,
): Promise<SnapshotMoment> {
  const client = await pool.connect();
  try {
    const moment = await readBatches(client, where, begin, select);
    // Rows that were read do not change, so the end of the transaction is not awaited.
    client.query('commit').then(
      () => client.release(),
      () => client.release(true),
    );
    return moment;
  } catch (error) {
    // A connection in an unknown state is not returned to the pool.
    client.release(true);
    throw error;
  }
}

/** A cursor has no parameters, so values are quoted. Together in one message, a small read takes two round trips. */
async function readBatches(
  client: PoolClient,
  { workspaceId, brainIds, onTotal }: ChangeQuery,
  begin: BeginReading,
  select: BuildSelect,
): Promise<SnapshotMoment> {
  const quote: Quote = (value) => client.escapeLiteral(value);
  const { rows: wanted, where } = select(quote);
  const fetch = `fetch forward ${rowsPerBatch} from changes`;
  const results = await readStatements(
    client,
    `begin isolation level repeatable read read only;
    ${formatBinding(workspaceId, quote)};
    select ${momentColumns};
    select id, language from brain_directory where id = any(${quote(formatIdArray(brainIds))}::uuid[]);
    declare changes no scroll cursor for select ${wanted} from searchable where ${where};
    ${fetch}`,
  );
  const [moment] = results[2]!.rows as [SnapshotMoment];
  const brains = results[3]!.rows as { id: string; language: string }[];
  const take = begin(new Map(brains.map(({ id, language }) => [id, language])), moment);
  let rows = results[5]!.rows as Row[];
  if (onTotal && rows.length === rowsPerBatch) {
    const counted = await client.query<{ total: number }>(
      `select count(*)::int as total from searchable where ${where}`,
    );
    onTotal(counted.rows[0]?.total ?? 0);
  }
  while (rows.length > 0) {
    // PostgreSQL reads the next batch while this one is processed.
    const next = rows.length === rowsPerBatch ? client.query<Row>(fetch) : null;
    next?.catch(() => {}); // awaited below, unless processing this batch fails
    take(rows.map((row) => toChange(row, row.brain_id ?? brainIds[0]!)));
    rows = (await next)?.rows ?? [];
  }
  return moment;
}

function formatIdArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}

function toChange(row: Row, brainId: string): Change {
  const { id } = row;
  if (row.is_wanted === false) return { id, brainId, row: null };
  return {
    id,
    brainId,
    row: {
      id,
      kind: row.kind,
      type: row.type,
      salience: row.salience,
      title: row.title,
      body: row.body ?? '',
      labels: row.labels ?? '',
      author: row.author,
      role: row.role,
      threadId: row.thread_id,
      threadPosition: row.occurred_at,
      occurredAt: new Date(Math.round(row.occurred_at * 1000)),
      endsAt: row.ends_at === null ? null : new Date(Math.round(row.ends_at * 1000)),
      isWholeDay: row.is_whole_day,
      source: row.source,
      ownerId: row.owner_id,
      changedXact: row.changed_xact,
    },
  };
}
