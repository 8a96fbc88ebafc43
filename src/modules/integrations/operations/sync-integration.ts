import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import type { Jobs } from '#platform/jobs';
import { checkRead } from '#modules/actions';
import { z } from 'zod';
import { syncChanged } from '../events.ts';
import { chooseAccount } from '../linked-accounts.ts';
import { settingsOf } from '../plan.ts';
import { sources } from '../providers/index.ts';
import { upsertSync } from '../store/syncs.ts';
import { enqueueSync } from '../sync/jobs.ts';
import { presentSync, syncOutput } from '../sync/present.ts';

const followed = sources.filter((source) => source.changes);

const input = z.strictObject({
  source: z.enum(followed.map(({ name }) => name)),
  account: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .optional()
    .describe('Which account, when several are linked: its name, or its connection_id.'),
  brain_id: brainId.optional().describe('Where the pages go; default: your home brain.'),
  every_minutes: z.number().int().min(1).max(10_080).default(15),
  days: z
    .number()
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .default(90)
    .describe('How far back the first reading goes; null: everything.'),
  input: z
    .record(z.string().max(100), z.unknown())
    .default({})
    .describe('http_json: how the answer is read, as in fetch_from_integration; what is absent is found by itself.'),
});

export function syncIntegration({ jobs, publicUrl }: { jobs: Jobs; publicUrl: string }) {
  return defineOperation({
    name: 'sync_integration',
    summary:
      'Keep a brain in step with a connected account: what is new, changed or gone there is so here, every few minutes. Called again it changes the settings.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'syncs:write', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/syncs' }],
    input,
    output: syncOutput,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples: [{ title: 'The mail of the last half year, kept in step', input: { source: 'gmail', days: 180 } }],
    async run(ctx, { source: name, account, brain_id, every_minutes, days, input: given }) {
      const source = followed.find((each) => each.name === name)!; // the input schema takes no other
      const settings = settingsOf(source, given, ctx.face);
      const connection = await chooseAccount(ctx, source, { account, publicUrl });
      await checkRead(ctx, source.name, connection.account);
      const sync = await upsertSync(
        ctx.db,
        {
          id: ctx.newId(),
          workspace_id: ctx.caller.workspaceId,
          connection_id: connection.id,
          source: name,
          brain_id: brain_id ?? (await ctx.brains()).homeBrainId,
          person_id: ctx.caller.personId,
          every_minutes,
          days,
          input: settings,
        },
        ctx.now,
      );
      await enqueueSync(jobs, ctx.db, ctx.caller.workspaceId, sync.id);
      await ctx.emit(syncChanged({ sync_id: sync.id, status: sync.status }, { brainId: sync.brain_id }));
      return presentSync(sync);
    },
  });
}
