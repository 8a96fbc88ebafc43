import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/** One line of an export: what kind of thing it is, and the thing. */
export type ExportLine = { kind: string } & Record<string, unknown>;

/**
 * One kind of thing that a brain holds. Modules that keep something in brains hand over one of these for each kind, so
 * that a brain can be counted, exported and deleted as a whole. Rows go with their brain by `on delete cascade`.
 */
export type BrainContents = {
  /** As counts and cursors name it: `memories`. */
  name: string;
  /** What a caller must be allowed to read, to have it exported. */
  scope: Scope;
  /** How many there are in each of these brains; a brain without any may be left out. */
  count(db: Db, brainIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** What `next` looks like; anything else in its place is refused. */
  cursor: RegExp;
  /** The next ones, in an order that lasts, after the one that `after` tells; `next` tells the last of these. */
  exportBatch(
    db: Db,
    brainId: string,
    page: { after: string | null; limit: number },
  ): Promise<{ lines: ExportLine[]; next: string | null }>;
};

/** The cursor of things that are exported in the order of their ids. */
export const idCursor = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Something elsewhere that uses a brain and has to let go of it before the brain is deleted. */
export type BrainDependent = {
  /** Lets go of the brain. Answers how many of what, by name. Throws `conflict` when that is impossible now. */
  release(ctx: Context, brainId: string): Promise<Record<string, number>>;
};

/** A row as a line of an export: without the columns that only the database needs, and with times as ISO 8601 has them. */
export function exportLine(kind: string, row: object, without: readonly string[] = []): ExportLine {
  const fields = Object.entries(row).filter(([name]) => !without.includes(name) && name !== 'workspace_id');
  const line = Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : (value as unknown)]),
  );
  return { kind, ...line };
}
