// What the drafts module, which is above this one, adds to the operations of the policy.
import type { Context } from '#kernel/context';
import type { Subject } from './judge.ts';

export type DraftPolicy = {
  /**
   * The subject of a draft that the caller sees, with edits that are tried and not stored. For a caller who may not
   * read the target it omits the look-up. Throws `invalid_input` when the edits do not fit.
   */
  readSubject(ctx: Context, draftId: string, edits: Record<string, unknown> | undefined): Promise<Subject>;
  /** Marks waiting drafts stale that another rule matches now, in the transaction that sets the rules. */
  markStale(ctx: Context): Promise<void>;
};
