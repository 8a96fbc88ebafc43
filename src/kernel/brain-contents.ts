import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/** One line of an export: the kind of the item, and the item. */
export type ExportLine = { kind: string } & Record<string, unknown>;

/**
 * One kind of item that a brain contains. Each module that stores items in brains declares its kinds, so that a brain
 * can be counted, exported and deleted. Rows are deleted with their brain by `on delete cascade`.
 */
export type BrainContents = {
  /** The name in counts and cursors: `memories`. */
  name: string;
  /** The scope that a caller needs to export it. */
  scope: Scope;
  /** The number of items in each of these brains; a brain without items may be omitted. */
  count(db: Db, brainIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The schema of `next`; another value is refused. */
  cursor: RegExp;
  /** The next items, in a stable order, after the position `after`; `next` is the position of the last one. */
  exportBatch(
    db: Db,
    brainId: string,
    page: { after: string | null; limit: number },
  ): Promise<{ lines: ExportLine[]; next: string | null }>;
};

/** The cursor of items that are exported in the order of their ids. */
export const idCursor = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A module's use of a brain that must end before the brain is deleted. */
export type BrainDependent = {
  /**
   * Ends the use of the brain. Returns the number of released items, by name. Throws `conflict` when that is impossible
   * at the moment.
   */
  release(ctx: Context, brainId: string): Promise<Record<string, number>>;
};

/** A row as a line of an export: without the columns that only the database needs, and with times in ISO 8601. */
export function exportLine(kind: string, row: object, without: readonly string[] = []): ExportLine {
  const fields = Object.entries(row).filter(([name]) => !without.includes(name) && name !== 'workspace_id');
  const line = Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : (value as unknown)]),
  );
  return { kind, ...line };
}
