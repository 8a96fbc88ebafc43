import { z } from 'zod';
import type { AfterCommitContext } from './context.ts';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/**
 * One kind of thing that moves with a brain from one server to another. Modules declare one for each kind, in the order in which
 * they are stored: what others point to comes first.
 */
export type Portable = {
  /** As `kind` of a line names it. */
  kind: string;
  /** What a caller must be allowed, to export it and to import it. */
  scope: Scope;
  writeScope: Scope;
  /** The fields of a line beside `kind` and `brain`. */
  row: z.ZodObject;
  /** The next ones after the one that `after` names, in an order that an import keeps. `after` is checked by `cursor`. */
  exportBatch(
    db: Db,
    from: ArchivedBrain,
    page: { after: string | null; limit: number },
  ): Promise<{
    rows: Record<string, unknown>[];
    next: string | null;
    /** There is more although there are fewer than `limit`. */
    hasMore?: boolean;
    /** How long the rows get when they are completed. */
    characters?: number;
  }>;
  /** Adds to an exported row what is not in the database, while no transaction is open. Null: there is nothing, and no line. */
  complete?(row: Record<string, unknown>, workspaceId: string): Promise<Record<string, unknown> | null>;
  cursor: RegExp;
  /** Puts into its place what an import received and the database does not keep, while no transaction is open, before anything is stored. */
  putOutside?(ctx: AfterCommitContext, importId: string): Promise<void>;
  /** Stores the lines of this kind that an import received. Answers how many. */
  store(db: Db, to: Importing): Promise<number>;
  /** Whether a brain holds any. */
  isIn(db: Db, brainId: string): Promise<boolean>;
};

/** One line of an archive: what kind of thing it is, the number of its brain in the archive, and the thing. */
export type ArchiveLine = { kind: string; brain: number; item: Record<string, unknown> };

/** A brain that is exported, and those that are in the same archive: what leads to another one is left out. */
export type ArchivedBrain = { brainId: string; archived: readonly string[] };

/** Where an import goes: `brainIds` in the order of the archive. `shift` is what its ids are moved by. */
export type Importing = {
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
