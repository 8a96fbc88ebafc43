import { z } from 'zod';
import type { DatasetRecipeRow } from '../store/tables.ts';

/** A dataset recipe in answers. */
export const recipeOutput = z.object({
  id: z.uuid(),
  recipe_id: z.uuid().describe('The same id.'),
  link_id: z.uuid(),
  board_id: z.uuid(),
  dataset_name: z.string(),
  adapter_op: z.string(),
  params: z.record(z.string(), z.unknown()),
  refresh_cron: z.string().nullable().describe('In UTC. Null: it is refreshed by hand.'),
  dedupe_key_field: z.string().nullable(),
  dedupe_target_field: z.string().nullable(),
  status: z
    .enum(['waiting', 'running', 'failing', 'stopped'])
    .describe('failing: it is tried again at next_at. stopped: a person has to make the link again.'),
  next_at: z.iso.datetime().nullable(),
  refreshed_at: z.iso.datetime().nullable().describe('When its rows were read; null: never yet.'),
  rows: z.number().int(),
  failure: z.string().nullable().describe('Why the last refresh failed. The rows of the one before are kept.'),
  failed_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

export function presentRecipe(recipe: DatasetRecipeRow, now: Date): z.input<typeof recipeOutput> {
  const { id, link_id, board_id, dataset, adapter_op, params, refresh_cron, status, failure } = recipe;
  const isRunning = recipe.lease_until !== null && recipe.lease_until > now;
  return {
    id,
    recipe_id: id,
    link_id,
    board_id,
    dataset_name: dataset,
    adapter_op,
    params,
    refresh_cron,
    dedupe_key_field: recipe.dedupe_key_field,
    dedupe_target_field: recipe.dedupe_target_field,
    status: isRunning ? 'running' : status,
    next_at: recipe.next_at?.toISOString() ?? null,
    refreshed_at: recipe.refreshed_at?.toISOString() ?? null,
    rows: recipe.row_count,
    failure,
    failed_at: failure === null ? null : (recipe.failed_at?.toISOString() ?? null),
    created_at: recipe.created_at.toISOString(),
  };
}
