// What planning and applying a recipe take.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { ExtraScope } from '#kernel/operation';
import type { Scope } from '#kernel/scopes';
import { brainId } from '#modules/brains';
import { chooseAccount } from '#modules/integrations';
import { sources } from '#providers';
import { z } from 'zod';
import { getCodexRecipe, recipeReference } from '../codex/find-recipe.ts';
import { inputsInput } from '../installs/choose-inputs.ts';
import { listPlanScopes } from '../installs/needed-scopes.ts';
import { overridesInput } from '../manifest/overrides.ts';
import { planInstall, type InstallPlan, type InstallRequest } from '../installs/plan-install.ts';

export const installInput = z.strictObject({
  ...recipeReference,
  brain_id: brainId.optional().describe('Where it is installed; your home brain without it.'),
  overrides: overridesInput.default({}),
  inputs: inputsInput.default({}),
  account: z
    .string()
    .min(3)
    .max(320)
    .optional()
    .describe('The account that it uses, when several are linked: its name, or its connection_id.'),
});
export type InstallInput = z.output<typeof installInput>;

export async function readRequest(ctx: Context, input: InstallInput, publicUrl: string): Promise<InstallRequest> {
  const target = await getCodexRecipe(ctx.db, input);
  const { account, overrides, inputs, brain_id = ctx.caller.homeBrainId } = input;
  const connectionId = account === undefined ? null : await findAccount(ctx, target.recipe, { account, publicUrl });
  return { target, brainId: brain_id, overrides, inputs, connectionId };
}

async function findAccount(
  ctx: Context,
  { slug, accounts }: InstallRequest['target']['recipe'],
  wanted: { account: string; publicUrl: string },
): Promise<string> {
  const source = sources.find(({ name }) => name === accounts[0]?.provider);
  if (!source) throw new AppError('invalid_input', `account: ${slug} uses no account.`);
  return (await chooseAccount(ctx, source, wanted)).id;
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
