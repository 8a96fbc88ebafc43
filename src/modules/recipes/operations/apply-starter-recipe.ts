import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { SaveDeps } from '#modules/automations';
import { applyPlan } from '../installs/apply-plan.ts';
import { listPlanScopes } from '../installs/needed-scopes.ts';
import { planInstall } from '../installs/plan-install.ts';
import { appliedOutput, presentApplied } from '../installs/present-plan.ts';
import { removeGhostInstalls } from '../uninstalls/remove-ghosts.ts';
import { lockInstallsOfBrain } from '../store/installs.ts';
import { installInput, listInstallScopes, readRequest } from './install-input.ts';

export function applyStarterRecipe(deps: SaveDeps) {
  return defineOperation({
    name: 'apply_starter_recipe',
    shortNames: ['install_recipe'],
    summary:
      'Install a recipe in a brain, with the recipes that it needs: all of it or nothing. Automations arrive paused. The same again answers what is there.',
    toolset: 'recipes',
    effect: 'write',
    access: {
      scope: 'recipes:install',
      brain: { role: 'editor', of: 'brain_id' },
      also: listInstallScopes(deps.publicUrl),
    },
    rest: [{ method: 'POST', path: '/v1/recipes/apply' }],
    input: installInput,
    output: appliedOutput,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples: [
      {
        title: 'A board for a repository',
        input: { slug: 'github-pulse', inputs: { repository: 'octocat/hello-world' } },
      },
    ],
    async run(ctx, input) {
      const request = await readRequest(ctx, input, deps.publicUrl);
      await lockInstallsOfBrain(ctx.db, request.brainId);
      await removeGhostInstalls(ctx.db, request.brainId);
      const plan = await planInstall(ctx, request);
      // What others uninstalled since the call was authorised is made again, which needs the scopes for it.
      const lacking = listPlanScopes(plan).find((scope) => !ctx.caller.scopes.has(scope));
      if (lacking) throw new AppError('forbidden', `Installing this needs the scope ${lacking}.`, { scope: lacking });
      return presentApplied(plan, await applyPlan(ctx, plan, deps), deps.publicUrl);
    },
  });
}
