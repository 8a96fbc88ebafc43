import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { findBrains } from './store/brains.ts';

export const brainId = idOf('brain').describe('Id of a brain, from `list_brains` or `load_brain`.');

/** A brain is seen by whoever has a role on it; the kernel checks that by the brain itself. */
export const brainResource = defineResource({
  kind: 'brain',
  noun: 'brain',
  async locate(db, ids) {
    return (await findBrains(db, ids)).map((brain) => ({ id: brain.id, brainId: brain.id }));
  },
});
