// What an installer names differently from the recipe.
import { AppError } from '#kernel/errors';
import { boardInput } from '#modules/boards';
import { workflowInput } from '#modules/workflows';
import { z } from 'zod';
import type { RecipeKind } from './kinds.ts';

export const overridesInput = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional().describe('Of any kind.'),
    board_name: boardInput.shape.name.optional(),
    board_description: boardInput.shape.description.unwrap().optional(),
    title: workflowInput.shape.title.optional(),
    charter: workflowInput.shape.charter.optional(),
    roster: workflowInput.shape.roster.unwrap().optional(),
  })
  .describe('Other names and texts than those of the recipe; those of a board or a workflow only for that kind.');
export type Overrides = z.output<typeof overridesInput>;

const kindOf: Record<keyof Overrides, RecipeKind | null> = {
  name: null,
  board_name: 'board',
  board_description: 'board',
  title: 'workflow',
  charter: 'workflow',
  roster: 'workflow',
};

/** Throws `invalid_input` for an override that the kind does not have. */
export function checkOverrides(overrides: Overrides, kind: RecipeKind): void {
  for (const [name, of] of Object.entries(kindOf))
    if (of !== null && of !== kind && overrides[name as keyof Overrides] !== undefined)
      throw new AppError('invalid_input', `overrides.${name}: this recipe makes no ${of}. Its kind is ${kind}.`);
}

/** The name that the installer chose. */
export function getChosenName({ name, board_name, title }: Overrides): string | undefined {
  return board_name ?? title ?? name;
}

/** The fields of the template that are replaced. */
export function buildReplacedFields({ board_description, charter, roster }: Overrides): Record<string, unknown> {
  return {
    ...(board_description !== undefined && { description: board_description }),
    ...(charter !== undefined && { charter }),
    ...(roster !== undefined && { roster }),
  };
}
