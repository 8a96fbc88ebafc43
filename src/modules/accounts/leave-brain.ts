// A brain that is deleted was the home of keys, and stands in answers that are kept for repetitions.
import type { BrainDependent } from '#kernel/brain-contents';
import { dropAnswersAbout } from './store/kept-answers.ts';
import { revokeKeysOf } from './store/keys.ts';

/** Ends the keys whose home the brain is, for they would have nowhere to write, and forgets kept answers that name it. */
export const keysOfBrain: BrainDependent = {
  async release(ctx, brainId) {
    await dropAnswersAbout(ctx.db, brainId);
    return { keys_revoked: await revokeKeysOf(ctx.db, brainId, ctx.now) };
  },
};
