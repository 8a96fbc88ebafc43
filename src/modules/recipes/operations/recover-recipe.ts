import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { getRecoveryEnd } from '#kernel/recovery';
import { z } from 'zod';
import { uninstalledEntityId } from '../ids.ts';
import { recipeKinds } from '../manifest/kinds.ts';
import { recoverInstalls } from '../uninstalls/recover.ts';

export const recoverRecipe = defineOperation({
  name: 'recover_recipe',
  summary:
    'Recover what was uninstalled within 7 days, with its rows, source and versions. It comes back paused. A bundle comes with its parts.',
  toolset: 'recipes',
  effect: 'write',
  access: { scope: 'recipes:uninstall', isForPeople: true, brain: { role: 'editor', of: 'entity_id' } },
  rest: [{ method: 'POST', path: '/v1/recipes/recover' }],
  input: z.strictObject({ entity_id: uninstalledEntityId }),
  output: z.object({
    kind: z.enum(recipeKinds),
    id: z.uuid(),
    name: z.string().describe('Its name; with a number where the name was taken meanwhile.'),
    source_recipe_slug: z.string(),
    recoverable_until: z.iso.datetime().describe('Until when it could have been recovered.'),
    parts: z
      .array(z.object({ kind: z.enum(recipeKinds), id: z.uuid(), name: z.string() }))
      .describe('The parts of a bundle that came back with it.'),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'It was needed after all', input: { entity_id: createExampleId('uninstalled_entity') } }],
  async run(ctx, { entity_id }) {
    const [install, ...parts] = await recoverInstalls(ctx, entity_id);
    if (!install?.uninstalled_at) throw createNotFoundError('uninstalled recipe');
    return {
      kind: install.entity_kind,
      id: entity_id,
      name: install.name,
      source_recipe_slug: install.slug,
      recoverable_until: getRecoveryEnd(install.uninstalled_at).toISOString(),
      parts: parts.map(({ entity_kind, entity_id: id, name }) => ({ kind: entity_kind, id, name })),
    };
  },
});
