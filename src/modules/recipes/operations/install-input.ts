// What planning and applying a recipe take.
import type { Context } from '#kernel/context';
import type { ExtraScope } from '#kernel/operation';
import type { Scope } from '#kernel/scopes';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { getCodexRecipe, recipeReference } from '../codex/find-recipe.ts';
import { accountInput, findAccount } from '../installs/find-account.ts';
import { inputsInput } from '../installs/choose-inputs.ts';
import { listPlanScopes } from '../installs/needed-scopes.ts';
import { overridesInput } from '../manifest/overrides.ts';
import { planInstall, type InstallPlan, type InstallRequest } from '../installs/plan-install.ts';

export const installInput = z.strictObject({
  ...recipeReference,
  brain_id: brainId.optional().describe('Where it is installed; your home brain without it.'),
  overrides: overridesInput.default({}),
  inputs: inputsInput.default({}),
  account: accountInput.optional(),
});
export type InstallInput = z.output<typeof installInput>;

export async function readRequest(ctx: Context, input: InstallInput, publicUrl: string): Promise<InstallRequest> {
  const target = await getCodexRecipe(ctx.db, input);
  const { account, overrides, inputs, brain_id = ctx.caller.homeBrainId } = input;
  const connectionId = account === undefined ? null : await findAccount(ctx, target.recipe, { account, publicUrl });
  return { target, brainId: brain_id, overrides, inputs, connectionId };
}

/** Plans of calls that are being authorised, so that one call is planned once for all scopes. */
const plans = new WeakMap<InstallInput, Promise<InstallPlan>>();

/** The scopes of what a recipe makes, each needed where the plan of the call makes such a thing. */
export function listInstallScopes(publicUrl: string): ExtraScope<InstallInput>[] {
  const scopes = ['boards:write', 'automations:write', 'workflows:write', 'pages:write'] as const satisfies Scope[];
  return scopes.map((scope) => ({
    scope,
    async when(ctx, input) {
      const plan = plans.get(input) ?? readRequest(ctx, input, publicUrl).then((request) => planInstall(ctx, request));
      plans.set(input, plan);
      return listPlanScopes(await plan).includes(scope);
    },
  }));
}
