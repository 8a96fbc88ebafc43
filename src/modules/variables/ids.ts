import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { brainResource } from '#modules/brains';
import { locateAgents, scopeNoun } from './access/tier-rules.ts';
import { filterVisibleSets } from './access/visible-sets.ts';

export const permissionSetId = itemId('permission_set').describe(
  'Id of a permission set, from `list_permission_sets`.',
);

/**
 * Permission sets belong to the workspace: its people may know their names, and a key of one brain knows the set it
 * uses.
 */
export const permissionSetResource = defineResource({
  kind: 'permission_set',
  noun: 'permission set',
  async locate(db, ids, caller) {
    return (await filterVisibleSets(db, ids, caller)).map((id) => ({ id, brainId: null }));
  },
});

export const scopeId = itemId('variable_scope').describe(
  'Which brain, agent (the id of its key or connected client) or permission set. Default: your home brain, or the agent you call as.',
);

/** The owner of variables is a brain, an agent or a permission set, each visible by its own rule. */
export const variableScopeResource = defineResource({
  kind: 'variable_scope',
  noun: scopeNoun,
  async locate(db, ids, caller) {
    const found = await brainResource.locate(db, ids, caller);
    found.push(...(await locateAgents(db, ids, caller)).map((id) => ({ id, brainId: null })));
    found.push(...(await permissionSetResource.locate(db, ids, caller)));
    return found;
  },
});
