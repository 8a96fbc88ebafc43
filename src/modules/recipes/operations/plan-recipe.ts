import { defineOperation } from '#kernel/operation';
import { planInstall } from '../installs/plan-install.ts';
import { planOutput, presentPlan } from '../installs/present-plan.ts';
import { installInput, readRequest } from './install-input.ts';

export function planRecipe({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'plan_recipe',
    summary: 'See what installing a recipe makes, reads, writes and costs, and what is missing. Changes nothing.',
    toolset: 'recipes',
    effect: 'read',
    access: { scope: 'recipes:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/recipes/plan' }],
    input: installInput,
    output: planOutput,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples: [
      {
        title: 'Before installing a board',
        input: { slug: 'github-pulse', inputs: { repository: 'octocat/hello-world' } },
      },
    ],
    async run(ctx, input) {
      const plan = await planInstall(ctx, await readRequest(ctx, input, publicUrl));
      return presentPlan(ctx, plan, publicUrl);
    },
  });
}
