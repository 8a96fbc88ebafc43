// What a skill of a board is: an instruction for a language model that fills columns of a dataset.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { column } from '../columns.ts';
import { rowIdField } from '../rows/row-id.ts';

/** The most columns that one skill fills. */
const mostFills = 20;
const columnName = column.shape.name.refine((name) => name !== rowIdField, 'row_id is not a column');
const skillName = z.string().trim().min(1).max(200);

/** A skill that can be run. */
export const boardSkill = z.strictObject({
  name: skillName.describe('Unique on its board.'),
  description: z.string().max(2_000).default(''),
  prompt: z.string().trim().min(1).max(20_000).describe('The instruction for the language model.'),
  dataset: z.string().min(1).max(100).default('default'),
  reads: z.array(columnName).max(100).default([]).describe('The columns that the model sees. None: all.'),
  fills: z.array(columnName).min(1).max(mostFills).describe('The columns that it fills.'),
});
export type BoardSkill = z.output<typeof boardSkill>;

/** The skills of a board as they are given: what is run, or only a name. */
export const skills = z
  .array(z.union([skillName, boardSkill]))
  .max(50)
  .refine((given) => new Set(given.map(getSkillName)).size === given.length, 'two skills have the same name')
  .describe('Objects that run_board_skill runs, or names.');

/** The skills of a board in answers. */
export const skillsOutput = z.array(
  z.union([
    z.string(),
    z.object({
      name: z.string(),
      description: z.string(),
      prompt: z.string(),
      dataset: z.string(),
      reads: z.array(z.string()),
      fills: z.array(z.string()),
    }),
  ]),
);

function getSkillName(given: string | { name: string }): string {
  return typeof given === 'string' ? given : given.name;
}

/** The skill of a board by its name. Throws `invalid_input` with the skills there are. */
export function chooseSkill(stored: unknown, name: string): BoardSkill {
  const known = stored as (string | BoardSkill)[]; // as it was parsed when it was stored
  const found = known.find((each) => getSkillName(each) === name);
  if (typeof found === 'object') return found;
  const names = known.filter((each) => typeof each === 'object').map(getSkillName);
  const what =
    found === undefined ? `this board has no skill ${name}` : `${name} is only a name, without an instruction`;
  throw new AppError(
    'invalid_input',
    `skill: ${what}. Skills that can be run: ${names.join(', ') || 'none yet; add one with update_board'}.`,
  );
}
