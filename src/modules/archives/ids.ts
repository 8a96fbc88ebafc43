import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateImports } from './store.ts';

export const importId = itemId('import').describe('From `start_import`.');

/** An import belongs to the person who started it; nobody else knows of it. */
export const importResource = defineResource({
  kind: 'import',
  noun: 'import',
  async locate(db, ids, { personId }) {
    return (await locateImports(db, ids, personId)).map((id) => ({ id, brainId: null }));
  },
});
