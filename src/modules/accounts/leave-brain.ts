// Before a brain is deleted: ends the keys of that home brain, and deletes kept answers that name it.
import type { BrainDependent } from '#kernel/brain-contents';
import { dropAnswersAbout } from './store/kept-answers.ts';
import { revokeBrainKeys } from './store/keys.ts';

/** Ends the keys of this home brain, for they would have no place to write, and deletes kept answers that name it. */
export const keysOfBrain: BrainDependent = {
  async release(ctx, brainId) {
    await dropAnswersAbout(ctx.db, brainId);
    return { keys_revoked: await revokeBrainKeys(ctx.db, brainId, ctx.now) };
  },
};
