// The scopes that a plan needs: those of the operations that would make the same by hand.
import type { Scope } from '#kernel/scopes';
import type { MakingRecipe } from '../manifest/render-entity.ts';
import { getEntityKind, type EntityKind } from '../manifest/render-entity.ts';
import type { InstallPlan } from './plan-install.ts';

const scopesOf: Record<EntityKind, (recipe: MakingRecipe) => Scope[]> = {
  board: () => ['boards:write'],
  automation: () => ['automations:write'],
  workflow: ({ template }) =>
    'automations' in template && template.automations?.length
      ? ['workflows:write', 'automations:write']
      : ['workflows:write'],
  reading: () => ['pages:write'],
};

/** The scopes that changing what a recipe makes needs. */
export function listRecipeScopes(recipe: MakingRecipe): Scope[] {
  return scopesOf[getEntityKind(recipe)](recipe);
}

/** The scopes that carrying out a plan needs beside `recipes:install`. */
export function listPlanScopes({ steps }: Pick<InstallPlan, 'steps'>): Scope[] {
  const scopes = steps.flatMap(({ codex: { recipe }, action }) =>
    action !== 'use' && recipe.kind !== 'bundle' ? scopesOf[getEntityKind(recipe)](recipe) : [],
  );
  return [...new Set(scopes)];
}
