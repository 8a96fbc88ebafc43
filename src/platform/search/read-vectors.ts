// Reads `embeddings` as `read-changes.ts` reads texts: from one snapshot, and the next time only rows that the snapshot
// did not see.
import type { Pool, PoolClient } from 'pg';

export type VectorChange = {
  readonly id: string;
  readonly part: number;
  readonly brainId: string;
  /** Null when there is none any more, or none of the requested space. */
  readonly code: Int8Array | null;
};

type Row = { item_id: string; part: number; brain_id: string; code: Buffer | null };

type Question = {
  readonly workspaceId: string;
  readonly space: string;
  /** Either all of one brain, or what changed in the workspace since a snapshot. */
  readonly of: { readonly brainId: string } | { readonly since: string };
};

const rowsPerBatch = 2_000;

/** Reads in batches. Returns the snapshot, from which the next reading continues. */
export async function readVectors(
  pool: Pool,
  question: Question,
  take: (changes: VectorChange[]) => void,
): Promise<string> {
  const client = await pool.connect();
  try {
    const snapshot = await readBatches(client, question, (rows) => take(rows.map(changeOf)));
    client.release();
    return snapshot;
  } catch (error) {
    // A connection in an unknown state is not given back.
    client.release(true);
    throw error;
  }
}

async function readBatches(client: PoolClient, question: Question, take: (rows: Row[]) => void): Promise<string> {
  const { workspaceId } = question;
  const fetch = `fetch forward ${rowsPerBatch} from vectors`;
  // With several statements in one message the driver gives an array of results, which its types do not know.
  const results = (await client.query(`begin isolation level repeatable read read only;
    select set_config('thalamus.workspace_id', ${client.escapeLiteral(workspaceId)}, true);
    select pg_current_snapshot()::text as snapshot;
    declare vectors no scroll cursor for ${selectOf(client, question)};
    ${fetch}`)) as unknown as { rows: unknown[] }[];
  const [{ snapshot }] = results[2]!.rows as [{ snapshot: string }];
  let rows = results[4]!.rows as Row[];
  take(rows);
  while (rows.length === rowsPerBatch) {
    rows = (await client.query<Row>(fetch)).rows;
    take(rows);
  }
  await client.query('commit');
  return snapshot;
}

/** A cursor takes no parameters, so values are quoted. */
function selectOf(client: PoolClient, { workspaceId, space, of }: Question): string {
  const quote = (value: string) => client.escapeLiteral(value);
  const code = `case when space = ${quote(space)} then code end as code`;
  const columns = `item_id::text, part, brain_id::text`;
  const where = `where workspace_id = ${quote(workspaceId)}`;
  if ('brainId' in of) {
    return `select ${columns}, code from embeddings ${where} and brain_id = ${quote(of.brainId)}
      and space = ${quote(space)} and code is not null`;
  }
  const snapshot = `${quote(of.since)}::pg_snapshot`;
  // The comparison is implied by what follows it, and can use an index.
  return `select ${columns}, ${code} from embeddings ${where} and changed_xact >= pg_snapshot_xmin(${snapshot})
    and not pg_visible_in_snapshot(changed_xact, ${snapshot})`;
}

function changeOf({ item_id: id, part, brain_id: brainId, code }: Row): VectorChange {
  return { id, part, brainId, code: code && new Int8Array(code.buffer, code.byteOffset, code.length) };
}
