import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { wasEverActive } from '../changes/activation.ts';
import { checkStartsRuns } from '../check-grants.ts';
import { runId } from '../ids.ts';
import { queueRun } from '../running/queue-run.ts';
import { buildStarter } from '../running/starter-rights.ts';
import { findAutomation } from '../store/automations.ts';
import type { AutomationRow } from '../store/tables.ts';
import { findRun } from '../store/runs.ts';
import { onceOutput, waitForRun } from './run-automation-once.ts';

const waitSeconds = 310;

export function replayAutomationRun({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'replay_automation_run',
    summary:
      'Run an automation again with the trigger of an earlier run. By default nothing leaves the server (dry_run).',
    toolset: 'automations',
    effect: 'write',
    access: { scope: 'automations:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automation-runs/{run_id}/replay' }],
    input: z.strictObject({
      run_id: runId,
      dry_run: z.boolean().default(true),
      verify_mode: z.boolean().default(false),
      same_version: z.boolean().default(false).describe('Use the source of that run instead of the active version.'),
    }),
    output: onceOutput,
    errors: ['not_found', 'conflict', 'forbidden', 'unavailable', 'rate_limited'],
    examples: [{ title: 'Does it work now?', input: { run_id: createExampleId('automation_run') } }],
    async run(ctx, { run_id, dry_run, verify_mode, same_version }) {
      checkStartsRuns(ctx);
      const before = await findRun(ctx.db, run_id);
      const automation = before && (await findAutomation(ctx.db, before.automation_id));
      if (!automation) throw createNotFoundError('run');
      if (automation.state === 'killed')
        throw new AppError('conflict', 'This automation was deleted. Save it as a new one.');
      checkVersion(ctx, automation, same_version ? before.version_id : null);
      const mode = verify_mode ? ('verify' as const) : dry_run ? ('dry_run' as const) : ('live' as const);
      const start = { kind: before.trigger_kind, slot: `replay:${ctx.newId()}`, due: ctx.now, payload: before.payload };
      const more = {
        mode,
        starter: buildStarter(ctx),
        replay_of: run_id,
        ...(same_version && { version_id: before.version_id }),
      };
      const runId = await queueRun({ now: () => ctx.now, newId: ctx.newId }, ctx.db, automation, start, more);
      if (!runId) throw new Error('a new slot is always free');
      return runId;
    },
    afterCommit: (ctx, id) => waitForRun(ctx, id, { seconds: waitSeconds, publicUrl }),
  });
}

/**
 * An agent cannot replay a source that nobody activated with the hosts, caps and variables of one that a person
 * activated.
 */
function checkVersion({ caller }: Context, automation: AutomationRow, versionId: string | null): void {
  if (versionId === null || versionId === automation.bound_version_id) return;
  if (!wasEverActive(automation) || canDoAllOfPerson(caller)) return;
  throw new AppError(
    'forbidden',
    "This run's source differs from the one that a person last activated. Leave same_version out, or ask the person to replay it on its page.",
  );
}
