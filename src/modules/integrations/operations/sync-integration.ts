import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { parseSyncSettings } from '../plan.ts';
import { countLeftOut } from '../store/item-locations.ts';
import { presentSync, syncOutput } from '../sync/present.ts';
import { followed, setUpSync, usualSync } from '../sync/set-up-sync.ts';

const input = z.strictObject({
  source: z.enum(followed.map(({ name }) => name)),
  account: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .optional()
    .describe('The account, when several are linked: its name, or its connection_id.'),
  brain_id: brainId.optional().describe('The brain that receives the pages; default: your home brain.'),
  every_minutes: z.number().int().min(1).max(10_080).default(usualSync.every_minutes),
  days: z
    .number()
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .default(usualSync.days)
    .describe('How far back the first reading goes; null: everything.'),
  input: z
    .record(z.string().max(100), z.unknown())
    .default({})
    .describe(
      'http_json: how to read the answer, as in fetch_from_integration. Fields that you leave out are detected.',
    ),
});

export function syncIntegration({ jobs, publicUrl }: { jobs: Jobs; publicUrl: string }) {
  return defineOperation({
    name: 'sync_integration',
    summary:
      'Sync a connected account into a brain: new, changed and deleted items follow every few minutes. Call it again to change the settings.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'syncs:write', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/syncs' }],
    input,
    output: syncOutput,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples: [{ title: 'Sync the mail of the last half year', input: { source: 'gmail', days: 180 } }],
    async run(ctx, { source: name, input: given, account, brain_id, ...pace }) {
      const source = followed.find((each) => each.name === name)!; // the input schema accepts no other value
      const wanted = { ...pace, account, brain_id, input: parseSyncSettings(source, given, ctx.face) };
      const sync = await setUpSync(ctx, { jobs, publicUrl }, source, wanted);
      const leftOut = (await countLeftOut(ctx.db, [sync.id])).get(sync.id) ?? [];
      return presentSync(sync, { coverage: source.coverage, leftOut });
    },
  });
}
