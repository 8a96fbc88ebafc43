import { defineResource } from '#kernel/resource';
import { locateShippedRecipes } from './codex/shipped.ts';
import { locateInstalls } from './store/installs.ts';
import { locateRecipes } from './store/recipes.ts';

/** Everybody in the workspace sees its recipes, and those of the server. */
export const recipeResource = defineResource({
  kind: 'recipe',
  noun: 'recipe',
  async locate(db, ids) {
    return [...locateShippedRecipes(ids), ...(await locateRecipes(db, ids))];
  },
});

/** Readers of its brain see an install. */
export const recipeInstallResource = defineResource({
  kind: 'recipe_install',
  noun: 'install',
  locate: locateInstalls,
});
