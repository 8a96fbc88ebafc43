// What the questions of one run to language models may use.
import type { Db } from './database.ts';

/** What a question to a model uses: millionths of a dollar, and tokens in both directions. */
export type ModelUse = { micro: number; tokens: number };

/** The caps of one run. What a question may use is reserved before it is asked, so that concurrent ones fit together. */
export type RunBudget = {
  /** Throws `plan_limit` where the most that a question can use does not fit. */
  reserve(db: Db, most: ModelUse): Promise<void>;
  /** Counts what it used instead of what was reserved. */
  reconcile(db: Db, reserved: ModelUse, used: ModelUse & { calls: number }): Promise<void>;
};
