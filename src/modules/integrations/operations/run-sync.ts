import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { checkRead } from '#modules/policy';
import { findConnection } from '#modules/connections';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { syncId } from '../ids.ts';
import { askToRead, findSync } from '../store/syncs.ts';
import { enqueueSync } from '../sync/jobs.ts';

export function runSync({ jobs }: { jobs: Jobs }) {
  return defineOperation({
    name: 'run_sync',
    summary: 'Start a sync now instead of at its next time. Returns at once; `list_syncs` shows the progress.',
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'integrations:fetch', brain: { role: 'editor', of: 'sync_id' } },
    rest: [{ method: 'POST', path: '/v1/syncs/{sync_id}/run' }],
    input: z.strictObject({
      sync_id: syncId,
      from_start: z.boolean().default(false).describe('Read the whole window again, not only changes.'),
    }),
    output: z.object({ sync_id: z.uuid(), asked: z.literal(true) }),
    errors: ['not_found', 'forbidden'],
    examples: [{ title: 'Now, please', input: { sync_id: createExampleId('sync') } }],
    async run(ctx, { sync_id, from_start }) {
      const sync = await findSync(ctx.db, sync_id);
      const connection = sync && (await findConnection(ctx.db, sync.connection_id));
      if (!connection) throw createNotFoundError('sync');
      await checkRead(ctx, sync.source, connection.account);
      await askToRead(ctx.db, sync_id, from_start);
      await enqueueSync(jobs, ctx.db, ctx.caller.workspaceId, sync_id);
      return { sync_id, asked: true as const };
    },
  });
}
