import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { installStates } from '../install-states.ts';
import { installOutput, presentInstall } from '../readings/present-install.ts';
import { listInstalls } from '../store/readings.ts';

export const listRecipeInstalls = defineOperation({
  name: 'list_recipe_installs',
  summary: 'List what was installed from recipes: its state, when it was read, and why a reading failed.',
  toolset: 'recipes',
  effect: 'read',
  access: { scope: 'recipes:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/recipe-installs' }],
  input: z.strictObject({
    brain_id: brainId.optional(),
    state: z.enum(installStates).exclude(['uninstalled']).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({ installs: z.array(installOutput), total: z.number().int() }),
  errors: ['not_found'],
  examples: [{ title: 'Those that fail', input: { state: 'failing' } }],
  async run(ctx, { brain_id, ...filter }) {
    const { rows, total } = await listInstalls(ctx.db, await listReadableBrainIds(ctx, brain_id), filter);
    return { installs: rows.map(presentInstall), total };
  },
});
