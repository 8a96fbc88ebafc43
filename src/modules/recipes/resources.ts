import { defineResource } from '#kernel/resource';
import { listConnections } from '#modules/connections';
import { listCredentialHolders } from '#modules/variables';
import { locateShippedRecipes } from './codex/shipped.ts';
import { locateInstalls } from './store/installs.ts';
import { locateRecipes } from './store/recipes.ts';
import { locateInstalledEntities, locateUninstalledEntities } from './store/uninstalled.ts';
import { withVisibleUninstalled } from '#platform/database';

/** Everybody in the workspace sees its recipes, and those of the server. */
export const recipeResource = defineResource({
  kind: 'recipe',
  noun: 'recipe',
  async locate(db, ids) {
    return [...locateShippedRecipes(ids), ...(await locateRecipes(db, ids))];
  },
});

/** What a caller acts through: a linked account of their credential chain, or an install. */
export const actingInstallResource = defineResource({
  kind: 'install',
  noun: 'connection or install',
  async locate(db, ids, caller) {
    const connections = await listConnections(db, await listCredentialHolders(db, caller), { ids });
    return [...connections.map(({ id }) => ({ id, brainId: null })), ...(await locateInstalls(db, ids))];
  },
});

/** Readers of its brain see an install. */
export const recipeInstallResource = defineResource({
  kind: 'recipe_install',
  noun: 'install',
  locate: locateInstalls,
});

/** Readers of its brain see what a recipe made. */
export const installedEntityResource = defineResource({
  kind: 'installed_entity',
  noun: 'installed recipe',
  locate: locateInstalledEntities,
});

/** Readers of its brain see what can be recovered. */
export const uninstalledEntityResource = defineResource({
  kind: 'uninstalled_entity',
  noun: 'uninstalled recipe',
  locate: (db, ids) => withVisibleUninstalled(db, () => locateUninstalledEntities(db, ids)),
});
