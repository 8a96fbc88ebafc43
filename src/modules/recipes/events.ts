import { defineEvent, type Event } from '#kernel/event';
import { z } from 'zod';
import { recipeKinds } from './manifest/kinds.ts';
import type { RecipeInstallRow } from './store/tables.ts';

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

type EventFields = Pick<RecipeInstallRow, 'id' | 'brain_id' | 'slug' | 'version' | 'entity_kind' | 'entity_id'>;

/** An event of an install, for the readers of its brain. */
export function buildInstallEvent(
  build: typeof recipeInstalled,
  { id, brain_id, slug, version, entity_kind, entity_id }: EventFields,
): Event {
  return build({ install_id: id, brain_id, slug, version, entity_kind, entity_id }, { brainId: brain_id });
}
