import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { SaveDeps } from '#modules/automations';
import { z } from 'zod';
import { inputsInput } from '../installs/choose-inputs.ts';
import { installedEntityId } from '../ids.ts';
import { recipeKinds } from '../manifest/kinds.ts';
import {
  changeOutput,
  entityOutput,
  keptOutput,
  missingInputOutput,
  presentDifference,
  presentEntity,
} from '../upgrades/present-upgrade.ts';
import { getUpgradable, previewUpgrade } from '../upgrades/upgrade.ts';

const difference = {
  installed: z.string().describe('The present version.'),
  latest: z.string().describe('The newest version.'),
  has_user_changes: z.boolean().describe('Whether somebody changed it since it was installed. Rows do not count.'),
  change_summary: z.array(changeOutput).describe('What an upgrade would change.'),
  kept: z.array(keptOutput).describe('Fields that you and the new version both changed: yours stay.'),
};

export function checkRecipeUpgrade(deps: SaveDeps) {
  return defineOperation({
    name: 'check_recipe_upgrade',
    summary:
      'See whether a recipe has a newer version, what an upgrade would change, and which of your changes it keeps.',
    toolset: 'recipes',
    effect: 'read',
    access: { scope: 'recipes:read', brain: { role: 'viewer', of: 'entity_id' } },
    rest: [{ method: 'POST', path: '/v1/recipes/upgrade/check' }],
    input: z.strictObject({
      entity_id: installedEntityId,
      entity_kind: z.enum(recipeKinds),
      force: z.boolean().default(false).describe('Show the difference of an upgrade with force.'),
      inputs: inputsInput.default({}),
    }),
    output: z.object({
      ...difference,
      has_upgrade: z.boolean(),
      parts: z.array(entityOutput.extend(difference)).describe('The parts of a bundle, which move with it.'),
      added: z.array(z.string()).describe('Recipes that are installed with the upgrade.'),
      standalone: z.array(entityOutput).describe('Parts that the bundle no longer has: they stay.'),
      missing_inputs: z.array(missingInputOutput),
      seen: z.string().describe('Send it to upgrade_recipe to upgrade exactly what is shown here.'),
    }),
    errors: ['not_found', 'conflict', 'invalid_input'],
    examples: [
      {
        title: 'Is there a newer version?',
        input: { entity_id: createExampleId('installed_entity'), entity_kind: 'board' },
      },
    ],
    async run(ctx, { entity_id, entity_kind, force, inputs }) {
      const install = await getUpgradable(ctx, { entity_id, entity_kind });
      const request = { isForced: force, inputs };
      const { prepared, added, left, seen } = await previewUpgrade(ctx, install, request, deps);
      const [own, ...parts] = prepared.map((each) => {
        const { changes, kept } = presentDifference(ctx, each);
        return {
          installed: each.install.version,
          latest: each.later?.version ?? each.install.version,
          has_user_changes: each.userChanges.length > 0,
          change_summary: changes,
          kept,
        };
      });
      return {
        ...own!, // the named install is the first
        has_upgrade: prepared.some(({ later }) => later !== null),
        has_user_changes: prepared.some(({ userChanges }) => userChanges.length > 0),
        parts: parts.map((part, index) => ({ ...presentEntity(prepared[index + 1]!.install), ...part })), // of the same order
        added: added.map(({ slug }) => slug),
        standalone: left.map(presentEntity),
        missing_inputs: prepared.flatMap(({ missingInputs }) => missingInputs),
        seen,
      };
    },
  });
}
