import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkReference, recipeReference } from '../codex/find-recipe.ts';
import { version } from '../manifest/fields.ts';
import { findPublished, withdrawVersion } from '../store/recipes.ts';

export const withdrawRecipeVersion = defineOperation({
  name: 'withdraw_recipe_version',
  summary: 'Withdraw a published version of a recipe: nobody can install it any more. Installs made of it stay.',
  toolset: 'recipes',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'recipes:publish', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/recipes/{slug}/versions/{version}/withdraw' }],
  input: z.strictObject({ ...recipeReference, version }),
  output: z.object({
    id: z.uuid(),
    slug: z.string(),
    version: z.string(),
    withdrawn_at: z.iso.datetime(),
    latest_version: z.string().nullable().describe('What can be installed now; null: nothing of this recipe.'),
  }),
  errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
  examples: [
    { title: 'A version with a mistake', input: { id: createExampleId('withdrawn_recipe'), version: '1.0.0' } },
  ],
  async run(ctx, { version: number, ...reference }) {
    checkReference(reference);
    const found = await findPublished(ctx.db, { ...reference, version: number });
    if (!found) throw createNotFoundError('version');
    if (found.person_id !== ctx.caller.personId && ctx.caller.role === 'member')
      throw new AppError('forbidden', 'Only its publisher or an administrator of the workspace can withdraw it.');
    const at = found.withdrawn_at ?? ctx.now;
    await withdrawVersion(ctx.db, found.id, at);
    const latest = await findPublished(ctx.db, { id: found.recipe_id });
    const { recipe_id: id, slug } = found;
    return { id, slug, version: number, withdrawn_at: at.toISOString(), latest_version: latest?.version ?? null };
  },
});
