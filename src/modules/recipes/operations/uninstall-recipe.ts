import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { getRecoveryEnd } from '#kernel/recovery';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { installedEntityId } from '../ids.ts';
import { slug } from '../manifest/fields.ts';
import { recipeKinds } from '../manifest/kinds.ts';
import { uninstallRecipe as uninstall } from '../uninstalls/uninstall.ts';
import type { InstallSelection } from '../store/uninstalled.ts';

const input = z.strictObject({
  entity_id: installedEntityId.optional(),
  slug: slug.optional().describe('Instead of entity_id: all that this recipe made in a brain.'),
  brain_id: brainId.optional().describe('The brain of slug.'),
  cascade: z.boolean().default(true).describe('Also the parts of a bundle; false: they become standalone.'),
});

export const uninstallRecipe = defineOperation({
  name: 'uninstall_recipe',
  summary:
    'Uninstall what a recipe made: at once it runs, lists and exports no more. recover_recipe brings it back within 7 days. What another install needs stays.',
  toolset: 'recipes',
  effect: 'write',
  isDestructive: true,
  access: {
    scope: 'recipes:uninstall',
    isForPeople: true,
    brain: { role: 'editor', of: ['entity_id', 'brain_id'], whenAbsent: 'allow' },
  },
  rest: [{ method: 'POST', path: '/v1/recipes/uninstall' }],
  input,
  output: z.object({
    uninstalled: z.array(
      z.object({ kind: z.enum(recipeKinds), id: z.uuid(), name: z.string(), recoverable_until: z.iso.datetime() }),
    ),
    cascade_count: z.number().describe('How many of them were parts of a bundle.'),
    kept: z
      .array(z.object({ kind: z.enum(recipeKinds), id: z.uuid(), name: z.string(), needed_by: z.array(z.string()) }))
      .describe('What stays, because other installs need it.'),
  }),
  errors: ['not_found', 'forbidden', 'invalid_input', 'conflict'],
  examples: [{ title: 'One board', input: { entity_id: createExampleId('installed_entity') } }],
  async run(ctx, { cascade, ...reference }) {
    const { uninstalled, cascadeCount, kept } = await uninstall(ctx, toSelection(reference), { isCascading: cascade });
    const until = getRecoveryEnd(ctx.now).toISOString();
    return {
      uninstalled: uninstalled.map(({ entity_kind, entity_id, name }) => ({
        kind: entity_kind,
        id: entity_id,
        name,
        recoverable_until: until,
      })),
      cascade_count: cascadeCount,
      kept: kept.map(({ install, neededBy }) => ({
        kind: install.entity_kind,
        id: install.entity_id,
        name: install.name,
        needed_by: neededBy,
      })),
    };
  },
});

function toSelection({ entity_id, slug: bySlug, brain_id }: Omit<z.output<typeof input>, 'cascade'>): InstallSelection {
  if ((entity_id === undefined) === (bySlug === undefined))
    throw new AppError('invalid_input', 'entity_id, slug: give exactly one of the two.');
  if (entity_id !== undefined) return { entityId: entity_id };
  if (bySlug === undefined || brain_id === undefined)
    throw new AppError('invalid_input', 'brain_id: slug needs the brain whose installs go.');
  return { slug: bySlug, brainId: brain_id };
}
