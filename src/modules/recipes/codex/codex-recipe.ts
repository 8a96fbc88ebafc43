// A recipe of the codex, whether the server brings it or a person of the workspace published it.
import type { LentSecret } from '../store/tables.ts';
import type { Recipe } from '../manifest/recipe.ts';

/** One version of a recipe, with what the codex knows of it. */
export type CodexRecipe = {
  id: string;
  recipe: Recipe;
  version: string;
  sha256: string;
  author: string;
  /** The publisher; null: the server brings it. */
  publisherId: string | null;
  lentSecrets: readonly LentSecret[];
  /** When the recipe was first published, and this version of it. */
  createdAt: Date;
  updatedAt: Date;
};
