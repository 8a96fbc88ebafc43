import { defineModule } from '#kernel/module';
import { getSaveDeps } from '#modules/automations';
import type { Ground } from '#platform';
import {
  recipeInstalled,
  recipeRecovered,
  recipeUninstalled,
  recipeUpdateAvailable,
  recipeUpgraded,
} from './events.ts';
import {
  installedEntityResource,
  recipeInstallResource,
  recipeResource,
  uninstalledEntityResource,
} from './resources.ts';
import { applyStarterRecipe } from './operations/apply-starter-recipe.ts';
import { checkRecipeDependencies } from './operations/check-recipe-dependencies.ts';
import { getStarterRecipe } from './operations/get-starter-recipe.ts';
import { listUninstalled } from './operations/list-uninstalled.ts';
import { recoverRecipe } from './operations/recover-recipe.ts';
import { uninstallRecipe } from './operations/uninstall-recipe.ts';
import { purgeInstalls } from './uninstalls/purge.ts';
import { listStarterRecipes } from './operations/list-starter-recipes.ts';
import { checkRecipeUpgrade } from './operations/check-recipe-upgrade.ts';
import { upgradeRecipe } from './operations/upgrade-recipe.ts';
import { planRecipe } from './operations/plan-recipe.ts';
import { publishRecipeVersion } from './operations/publish-recipe-version.ts';
import { withdrawRecipeVersion } from './operations/withdraw-recipe-version.ts';
import { installContents } from './store/contents.ts';

/** What can be installed, and what was installed of it. */
export const recipesModule = defineModule<Ground>({
  name: 'recipes',
  resources: [recipeResource, recipeInstallResource, installedEntityResource, uninstalledEntityResource],
  events: [recipeInstalled, recipeUpgraded, recipeUninstalled, recipeRecovered, recipeUpdateAvailable],
  contents: [installContents],
  tidy: purgeInstalls,
  operations(ground) {
    const deps = getSaveDeps(ground);
    return [
      listStarterRecipes(deps),
      getStarterRecipe(deps),
      publishRecipeVersion(ground),
      withdrawRecipeVersion,
      checkRecipeDependencies(deps),
      planRecipe(deps),
      applyStarterRecipe(deps),
      checkRecipeUpgrade(deps),
      upgradeRecipe(deps),
      uninstallRecipe,
      listUninstalled,
      recoverRecipe,
    ];
  },
});
