import { defineOperation } from '#kernel/operation';
import { getRecoveryEnd, getRecoveryLimit } from '#kernel/recovery';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { withVisibleUninstalled } from '#platform/database';
import { z } from 'zod';
import { recipeKinds } from '../manifest/kinds.ts';
import { mapEntityNames } from '../uninstalls/entity-owners.ts';
import { listUninstalledInstalls } from '../store/uninstalled.ts';

export const listUninstalled = defineOperation({
  name: 'list_uninstalled',
  summary: 'List what was uninstalled and can still be recovered, the newest first.',
  toolset: 'recipes',
  effect: 'read',
  access: { scope: 'recipes:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/uninstalled' }],
  input: z.strictObject({
    brain_id: brainId.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  output: z.array(
    z.object({
      kind: z.enum(recipeKinds),
      id: z.uuid(),
      name: z.string(),
      brain_id: z.uuid(),
      source_recipe_slug: z.string(),
      bundle_id: z.uuid().nullable().describe('The install of the bundle that it came with.'),
      uninstalled_at: z.iso.datetime(),
      expires_at: z.iso.datetime().describe('Until when it can be recovered.'),
    }),
  ),
  errors: ['not_found'],
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, { brain_id, limit }) {
    const brainIds = await listReadableBrainIds(ctx, brain_id);
    const since = getRecoveryLimit(ctx.now);
    const rows = await withVisibleUninstalled(ctx.db, () =>
      listUninstalledInstalls(ctx.db, { brainIds, since, limit }),
    );
    const names = await mapEntityNames(ctx.db, rows);
    return rows.map(({ entity_kind, entity_id, name, brain_id: of, slug, bundle_id, uninstalled_at }) => {
      const at = uninstalled_at ?? ctx.now;
      return {
        kind: entity_kind,
        id: entity_id,
        name: names.get(entity_id) ?? name,
        brain_id: of,
        source_recipe_slug: slug,
        bundle_id,
        uninstalled_at: at.toISOString(),
        expires_at: getRecoveryEnd(at).toISOString(),
      };
    });
  },
});
