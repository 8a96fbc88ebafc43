// Reads `searchable_vectors` as `read-changes.ts` reads texts: from one snapshot, and the next time only rows that the snapshot
// did not see.
import { formatBinding } from '#platform/binding';
import type { Pool, PoolClient } from 'pg';
import { momentColumns, type SnapshotMoment } from './moments.ts';
import { readStatements } from './read-statements.ts';

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
  /** Either all rows of one brain, or the changes in the workspace since a moment. */
  readonly of: { readonly brainId: string } | { readonly since: SnapshotMoment };
};

const rowsPerBatch = 2_000;

/** Reads in batches. Returns the moment from which the next reading continues; `take` receives it, too. */
export async function readVectors(
  pool: Pool,
  question: Question,
  take: (changes: VectorChange[], now: SnapshotMoment) => void,
): Promise<SnapshotMoment> {
  const client = await pool.connect();
  try {
    const moment = await readBatches(client, question, (rows, now) => take(rows.map(toVectorChange), now));
    client.release();
    return moment;
  } catch (error) {
    // A connection in an unknown state is not returned to the pool.
    client.release(true);
    throw error;
  }
}

async function readBatches(
  client: PoolClient,
  question: Question,
  take: (rows: Row[], now: SnapshotMoment) => void,
): Promise<SnapshotMoment> {
  const { workspaceId } = question;
  const fetch = `fetch forward ${rowsPerBatch} from vectors`;
  const results = await readStatements(
    client,
    `begin isolation level repeatable read read only;
    ${formatBinding(workspaceId, (value) => client.escapeLiteral(value))};
    select ${momentColumns};
    declare vectors no scroll cursor for ${buildVectorSelect(client, question)};
    ${fetch}`,
  );
  const [moment] = results[2]!.rows as [SnapshotMoment];
  let rows = results[4]!.rows as Row[];
  take(rows, moment);
  while (rows.length === rowsPerBatch) {
    rows = (await client.query<Row>(fetch)).rows;
    take(rows, moment);
  }
  await client.query('commit');
  return moment;
}

/** A cursor has no parameters, so values are quoted. */
function buildVectorSelect(client: PoolClient, { workspaceId, space, of }: Question): string {
  const quote = (value: string) => client.escapeLiteral(value);
  const code = `case when space = ${quote(space)} then code end as code`;
  const columns = `item_id::text, part, brain_id::text`;
  const where = `where workspace_id = ${quote(workspaceId)}`;
  if ('brainId' in of) {
    return `select ${columns}, code from searchable_vectors ${where} and brain_id = ${quote(of.brainId)}
      and space = ${quote(space)} and code is not null`;
  }
  const snapshot = `${quote(of.since.snapshot)}::pg_snapshot`;
  // The comparison is implied by what follows it, and can use an index.
  return `select ${columns}, ${code} from searchable_vectors ${where} and changed_xact >= pg_snapshot_xmin(${snapshot})
    and not pg_visible_in_snapshot(changed_xact, ${snapshot})`;
}

function toVectorChange({ item_id: id, part, brain_id: brainId, code }: Row): VectorChange {
  return { id, part, brainId, code: code && new Int8Array(code.buffer, code.byteOffset, code.length) };
}
