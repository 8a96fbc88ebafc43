import type { Db } from '#kernel/database';
import { sql, type Kysely } from 'kysely';
import type { LedgerRow } from './ledger.ts';

export type SealRow = {
  workspace_id: string;
  seal: number;
  at: Date;
  rows: number;
  root: string;
  previous_mac: string;
  mac: string;
};

/** A row of the ledger, with the fields that a seal covers. */
export type SealedRow = Pick<LedgerRow, 'draft_id' | 'seq' | 'hash'>;

type Tables = { ledger_seals: SealRow; draft_ledger: LedgerRow; ledger_keys: { workspace_id: string; sealed: string } };
type BoundDb = Kysely<Tables>;

/** Workspaces with rows that are not sealed. Work of the server itself, over all workspaces. */
export async function listUnsealedWorkspaces(db: Db): Promise<string[]> {
  const rows = await (db as BoundDb)
    .selectFrom('draft_ledger')
    .select('workspace_id')
    .distinct()
    .where('seal', 'is', null)
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Whether this transaction may seal the workspace now; others then skip it. */
export async function maySeal(db: BoundDb, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('thalamus ledger seal'), hashtext(${workspaceId})) as is`.execute(db);
  return rows[0]?.is ?? false;
}

export async function findLastSeal(db: BoundDb): Promise<SealRow | undefined> {
  return db.selectFrom('ledger_seals').selectAll().orderBy('seal', 'desc').limit(1).executeTakeFirst();
}

/** Puts unsealed rows under a seal, up to a number; returns them. */
export async function putUnderSeal(db: BoundDb, seal: number, most: number): Promise<SealedRow[]> {
  const unsealed = db
    .selectFrom('draft_ledger')
    .select(['draft_id', 'seq'])
    .where('seal', 'is', null)
    .orderBy('draft_id')
    .orderBy('seq')
    .limit(most);
  return db
    .updateTable('draft_ledger')
    .set({ seal })
    .where(({ refTuple, eb }) => eb(refTuple('draft_id', 'seq'), 'in', unsealed.$asTuple('draft_id', 'seq')))
    .returning(['draft_id', 'seq', 'hash'])
    .execute();
}

export async function insertSeal(db: BoundDb, seal: SealRow): Promise<void> {
  await db.insertInto('ledger_seals').values(seal).execute();
}

/** Seals from one on, in order. */
export async function readSeals(db: BoundDb, { from, limit }: { from: number; limit: number }): Promise<SealRow[]> {
  return db.selectFrom('ledger_seals').selectAll().where('seal', '>=', from).orderBy('seal').limit(limit).execute();
}

/** Rows under the seals of a span, by seal, draft and number. */
export async function readSealed(db: BoundDb, from: number, to: number): Promise<(SealedRow & { seal: number })[]> {
  return db
    .selectFrom('draft_ledger')
    .select(['draft_id', 'seq', 'hash', 'seal'])
    .where('seal', '>=', from)
    .where('seal', '<=', to)
    .orderBy('seal')
    .orderBy('draft_id')
    .orderBy('seq')
    .$narrowType<{ seal: number }>()
    .execute();
}

/** The whole ledger of the drafts after one, in order; limited to a number of drafts. */
export async function readLedgersAfter(db: BoundDb, draftId: string | null, drafts: number): Promise<LedgerRow[]> {
  const ids = db
    .selectFrom('draft_ledger')
    .select('draft_id')
    .distinct()
    .$if(draftId !== null, (query) => query.where('draft_id', '>', draftId ?? ''))
    .orderBy('draft_id')
    .limit(drafts);
  return db
    .selectFrom('draft_ledger')
    .selectAll()
    .where('draft_id', 'in', ids)
    .orderBy('draft_id')
    .orderBy('seq')
    .execute();
}

/** A row of the ledger by its place. */
export type RowPlace = Pick<LedgerRow, 'draft_id' | 'seq'>;

type Span = { lastSeal: number; after: RowPlace | null; limit: number };

/**
 * Rows with seals from one to the last of a span, by seal, draft and number; of the first seal only those after a
 * position.
 */
export async function readLedgerBySeal(db: BoundDb, span: Span & { seal: number }): Promise<LedgerRow[]> {
  const { seal, lastSeal: last, after, limit } = span;
  return db
    .selectFrom('draft_ledger')
    .selectAll()
    .where('seal', '<=', last)
    .where(({ eb, refTuple, tuple }) =>
      after
        ? eb(refTuple('seal', 'draft_id', 'seq'), '>', tuple(seal, after.draft_id, after.seq))
        : eb('seal', '>=', seal),
    )
    .orderBy('seal')
    .orderBy('draft_id')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Rows without any of the seals up to the last of a span, by draft and number, after a position. */
export async function readLedgerBeyond(db: BoundDb, { lastSeal: last, after, limit }: Span): Promise<LedgerRow[]> {
  return db
    .selectFrom('draft_ledger')
    .selectAll()
    .where(({ eb, or }) => or([eb('seal', 'is', null), eb('seal', '>', last)]))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('draft_id', 'seq'), '>', tuple(after?.draft_id ?? '', after?.seq ?? 0)),
      ),
    )
    .orderBy('draft_id')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** The number of unsealed rows, and since when. */
export async function countUnsealed(db: BoundDb): Promise<{ rows: number; since: Date | null }> {
  return db
    .selectFrom('draft_ledger')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.min<Date | null>('at').as('since')])
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function findKey(db: BoundDb): Promise<string | undefined> {
  return (await db.selectFrom('ledger_keys').select('sealed').executeTakeFirst())?.sealed;
}

/** Stores a workspace's key unless it has one. */
export async function insertKey(db: BoundDb, key: Tables['ledger_keys']): Promise<void> {
  await db
    .insertInto('ledger_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The number of rows with a seal below the first or beyond the last, both at one moment. */
export async function countBeyond(db: BoundDb): Promise<number> {
  const { rows } = await db
    .selectFrom('draft_ledger')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('seal', '<', 1),
        eb(
          'seal',
          '>',
          selectFrom('ledger_seals').select(({ fn }) => fn.coalesce(fn.max('seal'), eb.lit(0)).as('last')),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(rows);
}
