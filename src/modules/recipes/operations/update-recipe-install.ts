import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { installId } from '../ids.ts';
import { inputsInput } from '../installs/choose-inputs.ts';
import { accountInput } from '../installs/find-account.ts';
import { changeInstall } from '../installs/change-install.ts';
import { installOutput, presentInstall } from '../readings/present-install.ts';
import { lockInstall } from '../store/readings.ts';

const input = z
  .strictObject({
    install_id: installId,
    state: z.enum(['active', 'paused']).optional(),
    inputs: inputsInput.optional().describe('Those to change; the others stay.'),
    account: accountInput.nullable().optional().describe('Its name, or its connection_id. Null: it uses none.'),
  })
  .refine((given) => Object.keys(given).length > 1, 'give state, inputs or account');

export function updateRecipeInstall({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'update_recipe_install',
    summary: 'Activate or pause an installed integration, or change its inputs or its account.',
    toolset: 'recipes',
    effect: 'write',
    access: {
      scope: 'recipes:install',
      brain: { role: 'editor', of: 'install_id' },
      also: [{ scope: 'syncs:write', when: (_ctx, { state }) => state === 'active' }],
    },
    rest: [{ method: 'PATCH', path: '/v1/recipe-installs/{install_id}' }],
    input,
    output: installOutput,
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [{ title: 'Pause it', input: { install_id: createExampleId('recipe_install'), state: 'paused' } }],
    async run(ctx, { install_id, ...change }) {
      const install = await lockInstall(ctx.db, install_id);
      if (!install) throw createNotFoundError('install');
      return presentInstall(await changeInstall(ctx, install, change, publicUrl));
    },
  });
}
