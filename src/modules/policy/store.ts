import type { Kysely } from 'kysely';
import { toJsonColumn } from '#platform/database';
import type { Rule } from '#kernel/rule';
import type { Policy } from './judge.ts';

type PolicyRow = {
  workspace_id: string;
  version: number;
  rules: Rule[];
  floor: Rule[];
  changed_by: string;
  changed_at: Date;
};
type Db = Kysely<{ policies: PolicyRow }>;

/** The present policy; version 0, without rules, when none was set. */
export async function readPolicy(db: Db): Promise<Policy & { changedAt: Date | null }> {
  const row = await db.selectFrom('policies').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst();
  if (!row) return { version: 0, rules: [], floor: [], changedAt: null };
  return { version: row.version, rules: row.rules, floor: row.floor, changedAt: row.changed_at };
}

/** Stores the next version. False when another version with this number was stored first. */
export async function insertPolicy(db: Db, row: PolicyRow): Promise<boolean> {
  const stored = await db
    .insertInto('policies')
    .values({ ...row, rules: toJsonColumn(row.rules), floor: toJsonColumn(row.floor) })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'version']).doNothing())
    .returning('version')
    .executeTakeFirst();
  return stored !== undefined;
}
