export { buildRecipeJsonSchema } from './manifest/json-schema.ts';
export { recipesModule } from './module.ts';
export { getPreviews } from './preview-image.ts';
export { discoverRecipeActions } from './actions/discover-recipe-actions.ts';
export { buildRecipeActionDraft } from './actions/build-recipe-action-draft.ts';
