export { buildRecipeJsonSchema } from './manifest/json-schema.ts';
export { recipesModule } from './module.ts';
export { getPreviews } from './preview-image.ts';
