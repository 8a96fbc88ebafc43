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
  presentDifference,
  presentEntity,
} from '../upgrades/present-upgrade.ts';
import { upgradeRecipe as upgrade } from '../upgrades/upgrade.ts';

const outcome = {
  upgraded_from_version: z.string(),
  upgraded_to_version: z.string(),
  changes: z.array(changeOutput),
  kept: z.array(keptOutput).describe('Fields that you and the new version both changed: yours stayed.'),
  misfits: z
    .array(z.object({ dataset: z.string(), column: z.string(), row: z.string() }))
    .describe('Columns that keep their type, because a row has another value.'),
  waiting_changes: z
    .array(z.uuid())
    .describe('Changes of automations that wait for a person: see waiting_change of get_automation.'),
};

export function upgradeRecipe(deps: SaveDeps) {
  return defineOperation({
    name: 'upgrade_recipe',
    summary:
      'Upgrade what a recipe made to its newest version. Your changes, rows, state and team stay; a change of an automation that was ever active waits for a person. A bundle moves with its parts.',
    toolset: 'recipes',
    effect: 'write',
    access: { scope: 'recipes:install', brain: { role: 'editor', of: 'entity_id' } },
    rest: [{ method: 'POST', path: '/v1/recipes/upgrade' }],
    input: z.strictObject({
      entity_id: installedEntityId,
      entity_kind: z.enum(recipeKinds),
      force: z.boolean().default(false).describe('Drop your changes, and make it as the newest version has it.'),
      inputs: inputsInput.default({}),
      seen: z
        .string()
        .max(64)
        .optional()
        .describe(
          'From check_recipe_upgrade: refused if the difference changed since. A person at the console who sends it also accepts the changes of automations.',
        ),
    }),
    output: entityOutput.pick({ entity_id: true, entity_kind: true }).extend({
      ...outcome,
      parts: z.array(entityOutput.extend(outcome)).describe('The parts of a bundle.'),
      added: z.array(entityOutput).describe('What was installed with the upgrade.'),
      standalone: z.array(entityOutput).describe('Parts that the bundle no longer has: they stay.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [
      { title: 'The newest version', input: { entity_id: createExampleId('installed_entity'), entity_kind: 'board' } },
    ],
    async run(ctx, { entity_id, entity_kind, force, inputs, seen }) {
      const request = { isForced: force, inputs, seen };
      const { upgraded, added, left } = await upgrade(ctx, { entity_id, entity_kind }, request, deps);
      const [own, ...parts] = upgraded.map((each) => ({
        ...presentEntity(each.install),
        upgraded_from_version: each.install.version,
        upgraded_to_version: each.version,
        ...presentDifference(ctx, each),
        misfits: each.misfits,
        waiting_changes: each.changeIds,
      }));
      return { ...own!, parts, added: added.map(presentEntity), standalone: left.map(presentEntity) }; // the named install is the first
    },
  });
}
