import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import { recipeKinds } from './manifest/kinds.ts';

const payload = z.object({
  install_id: z.uuid(),
  brain_id: z.uuid(),
  slug: z.string(),
  version: z.string(),
  entity_kind: z.enum(recipeKinds),
  entity_id: z.uuid(),
});

export const recipeInstalled = defineEvent('recipe.installed', 'recipes:read', payload);
export const recipeUpgraded = defineEvent('recipe.upgraded', 'recipes:read', payload);
export const recipeUninstalled = defineEvent('recipe.uninstalled', 'recipes:read', payload);
export const recipeRecovered = defineEvent('recipe.recovered', 'recipes:read', payload);
/** A newer version was published; goes to each installer. */
export const recipeUpdateAvailable = defineEvent('recipe.update_available', 'recipes:read', payload);
