import { z } from 'zod';
import type { AfterCommitContext, Context } from './context.ts';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/**
 * One kind of item that moves with a brain from one server to another. Modules declare one for each kind, in the order
 * of storing: items that others refer to come first.
 */
export type Portable = {
  /** The name in the `kind` of a line. */
  kind: string;
  /** The scope that a caller needs to export and import it. */
  scope: Scope;
  writeScope: Scope;
  /** The fields of a line, besides `kind` and `brain`. */
  row: z.ZodObject;
  /** The next items after the one that `after` names, in an order that an import keeps. `cursor` checks `after`. */
  exportBatch(
    db: Db,
    from: ArchivedBrain,
    page: { after: string | null; limit: number },
  ): Promise<{
    rows: Record<string, unknown>[];
    next: string | null;
    /** More items follow although there are fewer than `limit`. */
    hasMore?: boolean;
    /** The total length of the rows after they are completed. */
    characters?: number;
  }>;
  /**
   * Adds to an exported row what is stored outside the database, while no transaction is open. Null: the data no longer
   * exists, and the item gets no line.
   */
  complete?(row: Record<string, unknown>, workspaceId: string): Promise<Record<string, unknown> | null>;
  cursor: RegExp;
  /**
   * Stores the received parts that belong outside the database, while no transaction is open, before anything else is
   * stored.
   */
  putOutside?(ctx: AfterCommitContext, importId: string): Promise<void>;
  /** Stores the received lines of this kind, and returns how many. */
  store(db: Db, to: ImportContext): Promise<number>;
  /** Throws when the workspace would exceed its limit after `store`. */
  checkStored?(ctx: Context): Promise<void>;
  /** Whether a brain has any items of this kind. */
  isIn(db: Db, brainId: string): Promise<boolean>;
};

/** One line of an archive: the kind of the item, the number of its brain in the archive, and the item. */
export type ArchiveLine = { kind: string; brain: number; item: Record<string, unknown> };

/** A brain that is exported, and the brains in the same archive: references to any other brain are left out. */
export type ArchivedBrain = { brainId: string; archived: readonly string[] };

/** The target of an import: `brainIds` in the order of the archive. `shift` is added to the archive's ids. */
export type ImportContext = {
  importId: string;
  workspaceId: string;
  personId: string;
  label: string;
  brainIds: readonly string[];
  shift: number;
};

/** Fields of rows as archives have them. */
export const archived = {
  id: z.uuid(),
  time: z.iso.datetime({ offset: true }).max(40),
  count: z.number().int().min(0).max(2_147_483_647),
  text: (most: number) => z.string().max(most),
  label: z.string().max(400),
};
