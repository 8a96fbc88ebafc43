import type { Db } from '#kernel/database';
import { defineModule } from '#kernel/module';
import { findPerson } from '#modules/accounts';
import { getSaveDeps } from '#modules/automations';
import { providerClientOf } from '#modules/integrations';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import { endReadingsOfPerson } from './end-person.ts';
import {
  recipeInstalled,
  recipeRecovered,
  recipeUninstalled,
  recipeUpdateAvailable,
  recipeUpgraded,
} from './events.ts';
import {
  actingInstallResource,
  installedEntityResource,
  recipeInstallResource,
  recipeResource,
  uninstalledEntityResource,
} from './resources.ts';
import { createRecipeReach } from './actions/reach.ts';
import { recipeAction } from './actions/recipe-action.ts';
import { applyStarterRecipe } from './operations/apply-starter-recipe.ts';
import { checkRecipeDependencies } from './operations/check-recipe-dependencies.ts';
import { getStarterRecipe } from './operations/get-starter-recipe.ts';
import { listUninstalled } from './operations/list-uninstalled.ts';
import { recoverRecipe } from './operations/recover-recipe.ts';
import { uninstallRecipe } from './operations/uninstall-recipe.ts';
import { purgeInstalls } from './uninstalls/purge.ts';
import { listRecipeInstalls } from './operations/list-recipe-installs.ts';
import { listStarterRecipes } from './operations/list-starter-recipes.ts';
import { checkRecipeUpgrade } from './operations/check-recipe-upgrade.ts';
import { upgradeRecipe } from './operations/upgrade-recipe.ts';
import { planRecipe } from './operations/plan-recipe.ts';
import { publishRecipeVersion } from './operations/publish-recipe-version.ts';
import { withdrawRecipeVersion } from './operations/withdraw-recipe-version.ts';
import { runRecipeInstall } from './operations/run-recipe-install.ts';
import { updateRecipeInstall } from './operations/update-recipe-install.ts';
import type { InstallReadingDeps } from './readings/read-install.ts';
import { createReadingWorker } from './readings/worker.ts';
import { installContents } from './store/contents.ts';

/** What can be installed, and what was installed of it. */
export const recipesModule = defineModule<Ground>({
  name: 'recipes',
  resources: [
    recipeResource,
    recipeInstallResource,
    actingInstallResource,
    installedEntityResource,
    uninstalledEntityResource,
  ],
  events: [recipeInstalled, recipeUpgraded, recipeUninstalled, recipeRecovered, recipeUpdateAvailable],
  contents: [installContents],
  actions: {
    all: [recipeAction],
    reach(ground) {
      const { egress, vault, transactions } = ground;
      return createRecipeReach({ egress, vault, transactions, client: providerClientOf(ground) });
    },
  },
  tidy: purgeInstalls,
  endPerson: endReadingsOfPerson,
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
      listRecipeInstalls,
      runRecipeInstall(getReadingDeps(ground)),
      updateRecipeInstall(deps),
    ];
  },
  work(ground, calls) {
    const { db } = ground;
    const reading = {
      ...getReadingDeps(ground),
      calls,
      readRole: async (bound: Db, personId: string) => (await findPerson(bound, personId))?.role ?? null,
      asSystem: <T>(run: Parameters<typeof runAsSystem<T>>[1]) => runAsSystem<T>(db, run),
    };
    return { background: [createReadingWorker(reading)] };
  },
});

function getReadingDeps({ egress, vault, transactions, log }: Ground): InstallReadingDeps {
  return { egress, vault, transactions, log, now };
}
