import { itemId } from '#kernel/ids';

export const recipeId = itemId('recipe').describe('Id of a recipe, from `list_starter_recipes`.');
export const installedEntityId = itemId('installed_entity').describe(
  'Id of what a recipe made: a board, automation, workflow, or the install of a bundle or integration.',
);
export const uninstalledEntityId = itemId('uninstalled_entity').describe('`id` of `list_uninstalled`.');
export const installId = itemId('recipe_install').describe('Id of an install, from `list_recipe_installs`.');
