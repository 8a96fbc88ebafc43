import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { findCoverage } from '#providers';
import { countLeftOut } from '../store/item-locations.ts';
import { listBrainSyncs } from '../store/syncs.ts';
import { presentSync, syncOutput } from '../sync/present.ts';

export const listSyncs = defineOperation({
  name: 'list_syncs',
  summary: 'List syncs with their progress, their errors and what they do not read.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'integrations:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/syncs' }],
  input: z.strictObject({ brain_id: brainId.optional().describe('Default: every brain you may read.') }),
  output: z.object({ syncs: z.array(syncOutput) }),
  errors: ['not_found'],
  examples: [{ title: 'Is every sync up to date?', input: {} }],
  async run(ctx, { brain_id }) {
    const rows = await listBrainSyncs(ctx.db, await listReadableBrainIds(ctx, brain_id));
    const leftOut = await countLeftOut(
      ctx.db,
      rows.map(({ id }) => id),
    );
    const present = (row: (typeof rows)[number]) =>
      presentSync(row, { coverage: findCoverage(row.source), leftOut: leftOut.get(row.id) ?? [] });
    return { syncs: rows.map(present) };
  },
});
