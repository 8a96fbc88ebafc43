// Reads the `searchable` view. Every read is of one snapshot, and the next takes exactly the rows whose transaction that
// snapshot did not see. A number that only grows could not tell, since transactions end in another order than they begin.
import type { Pool, PoolClient } from 'pg';
import type { Searchable, SearchableKind } from './searchable.ts';

export type Change = {
  readonly id: string;
  readonly brainId: string;
  /** Null when it was deleted or archived, or is in a brain that was not asked for. */
  readonly row: Searchable | null;
};

type Row = {
  id: string;
  brain_id: string;
  is_wanted: boolean;
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
  source: string | null;
};

const rowsPerBatch = 1_000;
const columns = `id, brain_id, changed_xact::text, kind, type, salience, author, role, thread_id, occurred_at, source`;

/** Reads the live rows of one brain in batches. Returns the snapshot, from which `readChanges` goes on. */
export function readBrain(
  pool: Pool,
  { workspaceId, brainId }: { workspaceId: string; brainId: string },
  take: (changes: Change[]) => void,
): Promise<string> {
  return readSnapshot(pool, workspaceId, take, (quote) => {
    const where = `workspace_id = ${quote(workspaceId)} and brain_id = ${quote(brainId)} and is_live`;
    return `select ${columns}, true as is_wanted, title, body, labels from searchable where ${where}`;
  });
}

/**
 * Reads in batches what changed in a workspace since a snapshot. Rows of other brains than the given ones are told too,
 * without their text, since they may have been moved there.
 */
export function readChanges(
  pool: Pool,
  { workspaceId, brainIds, since }: { workspaceId: string; brainIds: readonly string[]; since: string },
  take: (changes: Change[]) => void,
): Promise<string> {
  return readSnapshot(pool, workspaceId, take, (quote) => {
    const isWanted = `(is_live and brain_id = any(${quote(`{${brainIds.join(',')}}`)}::uuid[]))`;
    const text = ['title', 'body', 'labels'].map((column) => `case when ${isWanted} then ${column} end as ${column}`);
    const snapshot = `${quote(since)}::pg_snapshot`;
    // The comparison is implied by what follows it, and can use an index.
    return `select ${columns}, ${isWanted} as is_wanted, ${text.join(', ')} from searchable
      where workspace_id = ${quote(workspaceId)} and changed_xact >= pg_snapshot_xmin(${snapshot})
        and not pg_visible_in_snapshot(changed_xact, ${snapshot})`;
  });
}

type Quote = (value: string) => string;

async function readSnapshot(
  pool: Pool,
  workspaceId: string,
  take: (changes: Change[]) => void,
  select: (quote: Quote) => string,
): Promise<string> {
  const client = await pool.connect();
  try {
    const snapshot = await readBatches(client, workspaceId, take, select);
    // What was read stays as it is, so nobody waits for the end of the transaction.
    client.query('commit').then(
      () => client.release(),
      () => client.release(true),
    );
    return snapshot;
  } catch (error) {
    // A connection in an unknown state is not given back.
    client.release(true);
    throw error;
  }
}

/** A cursor takes no parameters, so values are quoted; in one message with the rest, a small read is two round trips. */
async function readBatches(
  client: PoolClient,
  workspaceId: string,
  take: (changes: Change[]) => void,
  select: (quote: Quote) => string,
): Promise<string> {
  const quote: Quote = (value) => client.escapeLiteral(value);
  const fetch = `fetch forward ${rowsPerBatch} from changes`;
  // With several statements in one message the driver gives an array of results, which its types do not know.
  const results = (await client.query(`begin isolation level repeatable read read only;
    select set_config('thalamus.workspace_id', ${quote(workspaceId)}, true);
    select pg_current_snapshot()::text as snapshot;
    declare changes no scroll cursor for ${select(quote)};
    ${fetch}`)) as unknown as { rows: unknown[] }[];
  const [{ snapshot }] = results[2]!.rows as [{ snapshot: string }];
  let rows = results[4]!.rows as Row[];
  while (rows.length > 0) {
    // PostgreSQL reads the next batch while this one is taken.
    const next = rows.length === rowsPerBatch ? client.query<Row>(fetch) : null;
    next?.catch(() => {}); // awaited below, unless what takes this batch fails
    take(rows.map(changeOf));
    rows = (await next)?.rows ?? [];
  }
  return snapshot;
}

function changeOf(row: Row): Change {
  const { id, brain_id: brainId } = row;
  if (!row.is_wanted) return { id, brainId, row: null };
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
      source: row.source,
      changedXact: row.changed_xact,
    },
  };
}
