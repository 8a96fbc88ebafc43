// What a recipe is: its names, what it needs and what it makes.
import { z } from 'zod';
import { sharedFields, type RecipePart } from './fields.ts';
import type { ReadingTemplate } from './reading-template.ts';
import type { AutomationTemplate, BoardTemplate, WorkflowTemplate } from './templates.ts';

/** The fields that recipes of all kinds have. */
export const sharedRecipe = z.strictObject(sharedFields);
type SharedFields = z.output<typeof sharedRecipe>;

/** A recipe, checked. Its template is as its publisher wrote it, with placeholders. */
export type Recipe = Omit<SharedFields, 'kind'> &
  (
    | { kind: 'board'; template: BoardTemplate }
    | { kind: 'automation'; template: AutomationTemplate }
    | { kind: 'workflow'; template: WorkflowTemplate }
    | { kind: 'bundle'; parts: RecipePart[] }
    | { kind: 'integration'; template: ReadingTemplate | AutomationTemplate }
  );
export type RecipeOf<Kind extends Recipe['kind']> = Extract<Recipe, { kind: Kind }>;

/** Whether an integration is read by the server itself, without code. */
export function isReading(template: object): template is ReadingTemplate {
  return 'endpoints' in template;
}
