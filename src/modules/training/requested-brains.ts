import type { Context } from '#kernel/context';
import { itemIdList } from '#kernel/ids';
import { brainId } from '#modules/brains';

/** Which brains an operation of training is about. The caller owns each of them. */
export const brainsInput = {
  brain_id: brainId.optional().describe('Default: your home brain.'),
  brain_ids: itemIdList('brain', 50).optional().describe('Several brains together.'),
};
export const ownersOnly = {
  scope: 'memory:read' as const,
  brain: { role: 'owner' as const, of: ['brain_id', 'brain_ids'] as const },
};

export function listRequestedBrainIds(
  { caller }: Context,
  asked: { brain_id?: string | undefined; brain_ids?: string[] | undefined },
): string[] {
  const ids = [...(asked.brain_ids ?? []), ...(asked.brain_id === undefined ? [] : [asked.brain_id])];
  return ids.length ? [...new Set(ids)] : [caller.homeBrainId];
}
