// The manifest of a recipe as JSON Schema, for editors and other programs.
import { z } from 'zod';
import { readingTemplate } from './reading-template.ts';
import { manifest } from './recipe-schema.ts';
import { automationTemplate, boardTemplate, workflowTemplate } from './templates.ts';

type Schema = Record<string, unknown>;

/** JSON Schema of what `publish_recipe_version` takes, with the template of each kind. */
export function buildRecipeJsonSchema(publicUrl: string): Schema {
  const templates = { board: boardTemplate, automation: automationTemplate, workflow: workflowTemplate };
  const withTemplate = Object.entries(templates).map(([kind, template]) => ({
    properties: { kind: { const: kind }, template: toSchema(template) },
    required: ['kind', 'template'],
  }));
  const integration = { anyOf: [toSchema(automationTemplate), toSchema(readingTemplate)] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${publicUrl}/schemas/recipe.json`,
    title: 'Recipe',
    ...toSchema(manifest),
    anyOf: [
      ...withTemplate,
      { properties: { kind: { const: 'bundle' } }, required: ['kind', 'parts'] },
      { properties: { kind: { const: 'integration' }, template: integration } },
    ],
  };
}

/** Formats and patterns of texts are left out, as a placeholder may be where an id or a date will be. */
function toSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...fields } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      delete jsonSchema.format;
      delete jsonSchema.pattern;
    },
  });
  return fields;
}
