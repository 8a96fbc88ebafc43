// The settings of a dataset recipe: the adapter of its link checks them, cron its schedule.
import { AppError } from '#kernel/errors';
import { cronSchema } from '#platform/dates';
import { z } from 'zod';
import { chooseOperation } from '../links/adapters.ts';
import { rowIdField } from '../rows/row-id.ts';
import type { RecipeSettings } from '../store/recipes.ts';
import type { BoardLinkRow } from '../store/tables.ts';

const field = z.string().trim().min(1).max(100);

/** Fields of the input that may be left out. Null clears one. */
export const recipeFields = {
  refresh_cron: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .describe('Five fields in UTC, such as 0 * * * *. Null or none: it is refreshed by hand.'),
  dedupe_key_field: field
    .nullable()
    .optional()
    .describe('The field that tells a row from every other, such as id: it becomes the row_id. Null: none.'),
  dedupe_target_field: field
    .nullable()
    .optional()
    .describe('A column that gets the same value, such as pr_id. Null: none.'),
};

/** Throws `invalid_input` for a schedule, an operation or parameters that cannot be. */
export function checkSettings(link: BoardLinkRow, settings: RecipeSettings): RecipeSettings {
  const { adapter_op, refresh_cron, dedupe_key_field, dedupe_target_field } = settings;
  if (refresh_cron !== null && !cronSchema.safeParse({ cron: refresh_cron }).success)
    throw new AppError('invalid_input', 'refresh_cron: must be a cron expression of five fields, such as 0 * * * *.');
  if (dedupe_target_field !== null && dedupe_key_field === null)
    throw new AppError('invalid_input', 'dedupe_target_field: needs dedupe_key_field, whose value it gets.');
  if (dedupe_target_field === rowIdField)
    throw new AppError('invalid_input', `dedupe_target_field: no field is called ${rowIdField}. Choose another name.`);
  const { params } = chooseOperation(link.kind, adapter_op, settings.params);
  return { ...settings, params };
}
