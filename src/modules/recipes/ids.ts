import { itemId } from '#kernel/ids';

export const recipeId = itemId('recipe').describe('Id of a recipe, from `list_starter_recipes`.');
