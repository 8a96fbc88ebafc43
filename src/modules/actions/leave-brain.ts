// Deleting a brain deletes no draft: pending drafts are discarded, and all ledgers stay.
import { AppError } from '#kernel/errors';
import type { BrainDependent } from '#kernel/brain-contents';
import { discardWithBrain } from './deciding/decide.ts';
import { lockBrainOpenDrafts } from './store/open-drafts.ts';

/** Discards the pending drafts of a brain. Throws `conflict` while one of them is being sent. */
export const draftsOfBrain: BrainDependent = {
  async release(ctx, brainId) {
    const open = await lockBrainOpenDrafts(ctx.db, brainId);
    const sending = open.filter(({ status }) => status === 'confirming').map(({ id }) => id);
    if (sending.length) {
      throw new AppError(
        'conflict',
        'A draft of this brain is being sent. Wait for its outcome, then delete the brain.',
        { draft_ids: sending },
      );
    }
    for (const { id } of open) await discardWithBrain(ctx, id);
    return { drafts_discarded: open.length };
  },
};
