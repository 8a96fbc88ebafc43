import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectField } from '../../design/field.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { InputField, readInputs, type RecipeInput } from './input-fields.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import {
  applyRecipe,
  buildAccountsQuery,
  buildPlanQuery,
  installRefreshes,
  type AppliedRecipe,
  type InstallRequest,
  type Plan,
  type Recipe,
} from './requests.ts';

type Props = { of: Recipe; plan: Plan | undefined; isOpen: boolean; onClose: () => void };

/** Asks where to install and for the inputs, and installs. */
export function InstallDialog({ of: recipe, plan: homePlan, isOpen, onClose }: Props) {
  const navigate = useNavigate();
  const [brainId, setBrainId] = useState<string | undefined>();
  const { data: plan = homePlan } = useQuery({
    ...buildPlanQuery({ slug: recipe.slug, brain_id: brainId }),
    enabled: isOpen,
  });
  const inputs = listInputs(recipe, plan);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Install ${recipe.name}`}
      description={describeArrival(recipe, plan)}
      act="Install"
      refreshes={installRefreshes}
      success={describeOutcome}
      run={(fields) => applyRecipe(buildRequest(recipe.slug, brainId, inputs, fields))}
      onSuccess={(applied) => navigate(findPage(applied))}
    >
      <BrainField
        name="brain"
        label="Brain"
        hint="People of this brain see what is installed."
        canWrite
        value={brainId ?? homePlan?.brain_id ?? ''}
        onChange={({ target }) => setBrainId(target.value)}
      />
      <AccountField source={recipe.accounts[0]?.provider} />
      {inputs.map((input) => (
        <InputField key={input.name} of={input} />
      ))}
    </FormDialog>
  );
}

/** Asks for the account where several are linked. */
function AccountField({ source }: { source: string | undefined }) {
  const { data: accounts = [] } = useQuery(buildAccountsQuery(source));
  if (accounts.length < 2) return null;
  return (
    <SelectField name="account" label="Account">
      {accounts.map(({ connection_id, account }) => (
        <option key={connection_id} value={connection_id}>
          {account}
        </option>
      ))}
    </SelectField>
  );
}

/** The inputs of the recipe, and those that the recipes installed with it still need. */
function listInputs({ inputs }: Recipe, plan: Plan | undefined): RecipeInput[] {
  const others = (plan?.missing.inputs ?? []).filter(({ name }) => !inputs.some((input) => input.name === name));
  return [...inputs, ...others.map((input) => ({ ...input, required: true }))];
}

function buildRequest(
  slug: string,
  brainId: string | undefined,
  inputs: readonly RecipeInput[],
  fields: FormFields,
): InstallRequest {
  const account = fields.readText('account');
  return {
    slug,
    inputs: readInputs(inputs, fields),
    ...(brainId !== undefined && { brain_id: brainId }),
    ...(account && { account }),
  };
}

function describeArrival({ kind }: Recipe, plan: Plan | undefined): string {
  const others = (plan?.steps.length ?? 1) - 1;
  const more = others > 0 ? ` ${others} other ${others === 1 ? 'recipe is' : 'recipes are'} installed with it.` : '';
  if (kind === 'automation') return `It arrives paused. You activate it on its page.${more}`;
  if (plan?.missing.secrets.length || plan?.missing.accounts.length)
    return `It waits until it has what it needs.${more}`;
  return `You can change everything it makes.${more}`;
}

function describeOutcome({ created, state }: AppliedRecipe): string | [string, string] {
  if (state === 'needs_setup') return [`${created.name} installed`, 'It waits for a secret or an account.'];
  return created.is_new ? `${created.name} installed` : `${created.name} was installed already`;
}

/** Where a person goes on: to what was made. */
function findPage({ board_id, automation_id, workflow_id }: AppliedRecipe) {
  if (board_id) return { to: '/boards/$boardId', params: { boardId: board_id } } as const;
  if (automation_id) return { to: '/automations/$automationId', params: { automationId: automation_id } } as const;
  if (workflow_id) return { to: '/workflows/$workflowId', params: { workflowId: workflow_id } } as const;
  return { to: '/installs' } as const;
}
