// The manifest of a recipe, as publishers send it.
import { z } from 'zod';
import { checkTemplate } from './check-template.ts';
import { parts } from './fields.ts';
import { readingFields, readingTemplate, type ReadingTemplate } from './reading-template.ts';
import { isReading, sharedRecipe, type Recipe } from './recipe.ts';

/** What publishers send: the template under `template`, or, of a declarative integration, its fields at the top level. */
export const manifest = sharedRecipe.extend({
  template: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe(
      'Of a board, an automation or a workflow: the fields of create_board, save_automation_draft or create_workflow. Of an integration with code: those of save_automation_draft.',
    ),
  parts: parts.optional(),
  publisher: readingFields.publisher,
  auth: readingFields.auth,
  trigger: readingFields.trigger.optional(),
  endpoints: readingFields.endpoints.optional(),
  mapping: readingFields.mapping.optional(),
});
type Manifest = z.output<typeof manifest>;

/** The manifest of a recipe. Without `kind` it is an integration. */
export const recipeSchema = manifest.transform((given, check): Recipe => {
  const recipe = normalize(given, check);
  if (!check.issues.length) checkTemplate(recipe, check);
  return recipe;
});

/** Puts what a recipe makes where its kind has it, and reports what is missing or in the wrong place. */
function normalize(given: Manifest, check: z.RefinementCtx): Recipe {
  const { template, parts: givenParts, publisher, auth, trigger, endpoints, mapping, kind, ...fields } = given;
  const reading = listGiven({ publisher, auth, trigger, endpoints, mapping });
  const isBundle = kind === 'bundle';
  const mayRead = kind === 'integration' && template === undefined;
  if (isBundle && !givenParts) report(check, ['parts'], 'a bundle needs parts');
  if (isBundle && template) report(check, ['template'], 'a bundle has parts, and no template');
  if (!isBundle && givenParts) report(check, ['parts'], `only a bundle has parts, and this recipe is of kind ${kind}`);
  if (!isBundle && !mayRead && !template) report(check, ['template'], `a recipe of kind ${kind} needs a template`);
  for (const name of mayRead ? [] : Object.keys(reading))
    report(check, [name], 'only an integration without a template has this field');
  if (isBundle) return { ...fields, kind, parts: givenParts ?? [] };
  if (mayRead) return { ...fields, kind, template: parseReading(reading, [], check) };
  if (kind === 'integration' && template && isReading(template))
    return { ...fields, kind, template: parseReading(template, ['template'], check) };
  return { ...fields, kind, template: template ?? {} } as Recipe; // `checkTemplate` reads it next
}

function listGiven(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function parseReading(fields: object, at: PropertyKey[], check: z.RefinementCtx): ReadingTemplate {
  const { data, error } = readingTemplate.safeParse(fields);
  for (const { path, message } of error?.issues ?? []) report(check, [...at, ...path], message);
  return data ?? ({} as ReadingTemplate); // refused above
}

function report(check: z.RefinementCtx, path: PropertyKey[], message: string): void {
  check.addIssue({ code: 'custom', path, message });
}
