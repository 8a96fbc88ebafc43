/** What a recipe makes. */
export const recipeKinds = ['board', 'automation', 'workflow', 'bundle', 'integration'] as const;
export type RecipeKind = (typeof recipeKinds)[number];
