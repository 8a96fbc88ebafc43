import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { collectRecipes } from '../codex/collect-recipes.ts';
import { publishRecipe, type PublishedRecipe } from '../codex/publish-recipe.ts';
import { recipeSchema } from '../manifest/recipe-schema.ts';
import type { Recipe } from '../manifest/recipe.ts';

const published = z.object({
  id: z.uuid(),
  slug: z.string(),
  version: z.string(),
  is_new: z.boolean().describe('False: this content was published already, as this version.'),
  lent_secrets: z
    .array(z.object({ name: z.string(), host: z.string() }))
    .describe('Your variables that installs send, each to this host only.'),
});

export function publishRecipeVersion({ sandbox }: { sandbox: Sandbox }) {
  return defineOperation({
    name: 'publish_recipe_version',
    summary: 'Publish a recipe, or its next version, for everybody in the workspace. A version never changes.',
    toolset: 'recipes',
    effect: 'write',
    isWidening: true,
    access: { scope: 'recipes:publish', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/recipes' }],
    input: z.strictObject({
      recipe: recipeSchema.optional(),
      source: z
        .string()
        .min(1)
        .max(100_000)
        .optional()
        .describe('Instead of `recipe`: a script that calls add({…}) for each recipe. It runs without network.'),
    }),
    maxBodyBytes: 2_000_000,
    output: published.extend({ published: z.array(published).describe('All recipes of the script, in its order.') }),
    errors: ['invalid_input', 'conflict', 'unavailable'],
    examples: [
      {
        title: 'A board for meetings',
        input: {
          recipe: {
            slug: 'meeting-notes',
            name: 'Meeting notes',
            kind: 'board',
            template: { name: 'Meetings', datasets: { default: { columns: [{ name: 'topic' }] } } },
          },
        },
      },
    ],
    async run(ctx, { recipe, source }) {
      if ((recipe === undefined) === (source === undefined))
        throw new AppError('invalid_input', 'recipe, source: give exactly one of the two.');
      return recipe ? await publishAll(ctx, [recipe]) : null;
    },
    async afterCommit(ctx, done, { source = '' }) {
      if (done) return present(done);
      const recipes = await collectRecipes(sandbox, source, ctx.caller.personId);
      return present(await ctx.transact((inner) => publishAll(inner, recipes)));
    },
  });
}

async function publishAll(ctx: Context, recipes: readonly Recipe[]): Promise<PublishedRecipe[]> {
  const all = [];
  for (const recipe of recipes) all.push(await publishRecipe(ctx, recipe));
  return all;
}

function present(all: readonly PublishedRecipe[]) {
  const rows = all.map(({ id, slug, version, isNew, lent }) => ({
    id,
    slug,
    version,
    is_new: isNew,
    lent_secrets: lent.map(({ name, host }) => ({ name, host })),
  }));
  const [first] = rows;
  if (!first) throw new Error('a call publishes at least one recipe');
  return { ...first, published: rows };
}
