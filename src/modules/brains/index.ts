import type { Db } from '#kernel/database';
import type { ReadLimits } from './limits.ts';
import { createBrain } from './operations/create-brain.ts';
import { listBrains } from './operations/list-brains.ts';
import { updateBrain } from './operations/update-brain.ts';

export { brainAccess, readableBrains } from './access.ts';
export { brainId, brainResource } from './ids.ts';
export type { Limits } from './limits.ts';
export { createPersonalBrain } from './new-brain.ts';
export { findBrains, lineageOf, personalBrainOf, type Brain } from './store/brains.ts';

/** What brains need of the modules above them. */
export type BrainOptions = {
  readLimits: ReadLimits;
  /** How many memories each brain holds that were not archived. */
  countMemories: (db: Db, brainIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

/** What callers can do with brains. */
export function brainOperations({ readLimits, countMemories }: BrainOptions) {
  return [createBrain(readLimits), updateBrain(readLimits), listBrains(countMemories)];
}
