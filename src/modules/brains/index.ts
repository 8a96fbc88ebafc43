import { createBrain } from './operations/create-brain.ts';
import { listBrains } from './operations/list-brains.ts';

export { brainAccess, readableBrains } from './access.ts';
export { brainId, brainResource } from './ids.ts';
export { createPersonalBrain } from './new-brain.ts';
export { findBrains, lineageOf, personalBrainOf, type Brain } from './store.ts';

/** What callers can do with brains. */
export const brainOperations = [createBrain, listBrains];
