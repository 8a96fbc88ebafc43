import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { syncChanged } from '../events.ts';
import { syncId } from '../ids.ts';
import { deleteSync, findSync } from '../store/syncs.ts';

export const stopSync = defineOperation({
  name: 'stop_sync',
  summary: 'Stop syncing an account into a brain. The pages that were read stay.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'syncs:write', brain: { role: 'editor', of: 'sync_id' } },
  rest: [{ method: 'DELETE', path: '/v1/syncs/{sync_id}' }],
  input: z.strictObject({ sync_id: syncId }),
  output: z.object({ sync_id: z.uuid(), stopped: z.literal(true) }),
  errors: ['not_found'],
  examples: [{ title: 'No longer', input: { sync_id: createExampleId('sync') } }],
  async run(ctx, { sync_id }) {
    const row = await findSync(ctx.db, sync_id);
    if (!row) throw new Error('a sync that was resolved is not there');
    await deleteSync(ctx.db, sync_id);
    await ctx.emit(syncChanged({ sync_id, status: 'stopped' }, { brainId: row.brain_id }));
    return { sync_id, stopped: true as const };
  },
});
