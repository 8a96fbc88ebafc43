import type { BrainDependent } from '#kernel/brain-contents';
import { endBrainGrants } from './store/grants.ts';

/** Ends the clients whose home brain was deleted, because they could not write anywhere. */
export const grantsOfBrain: BrainDependent = {
  async release(ctx, brainId): Promise<Record<string, number>> {
    const count = await endBrainGrants(ctx.db, brainId, ctx.now);
    return count ? { clients_disconnected: count } : {};
  },
};
