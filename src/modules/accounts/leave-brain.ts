// Before a brain is deleted: ends the keys with that home brain, and deletes stored answers that name it.
import type { BrainDependent } from '#kernel/brain-contents';
import { dropAnswersAbout } from './store/kept-answers.ts';
import { revokeBrainKeys } from './store/keys.ts';

/**
 * Ends the keys with this home brain, because they would have no brain to write to, and deletes stored answers that
 * name it.
 */
export const keysOfBrain: BrainDependent = {
  async release(ctx, brainId) {
    await dropAnswersAbout(ctx.db, brainId);
    return { keys_revoked: await revokeBrainKeys(ctx.db, brainId, ctx.now) };
  },
};
