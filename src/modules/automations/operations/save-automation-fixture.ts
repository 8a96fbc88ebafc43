import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { FindOperation } from '../check-grants.ts';
import { effectOutput, fixtureName } from '../fields.ts';
import { findEffect } from '../fixtures/effects.ts';
import { runId } from '../ids.ts';
import { findAutomation } from '../store/automations.ts';
import { insertFixture, listFixtures } from '../store/fixtures.ts';
import { findRun } from '../store/runs.ts';

const most = 20;

export function saveAutomationFixture({ find }: { find: FindOperation }) {
  return defineOperation({
    name: 'save_automation_fixture',
    summary:
      'Save a dry run as a fixture: what started it, the answers it got, and its expected effects. From then on activation requires all fixtures to pass.',
    toolset: 'automations',
    effect: 'write',
    access: { scope: 'automations:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automation-runs/{run_id}/fixture' }],
    input: z.strictObject({ run_id: runId, name: fixtureName }),
    output: z.object({ automation_id: z.uuid(), name: z.string(), effects: z.array(effectOutput) }),
    errors: ['not_found', 'conflict', 'plan_limit'],
    examples: [
      { title: 'As it should be', input: { run_id: createExampleId('automation_run'), name: 'A usual Monday' } },
    ],
    async run(ctx, { run_id, name }) {
      const run = await findRun(ctx.db, run_id);
      if (!run) throw createNotFoundError('run');
      const { recording, status, started_at, automation_id, workspace_id, trigger_kind, payload } = run;
      if (status !== 'succeeded' || !recording || !started_at)
        throw new AppError(
          'conflict',
          'Only a dry run that succeeded in the last seven days, with up to 500 calls and 300 KB of answers, can be a fixture. Run it again.',
        );
      if ((await listFixtures(ctx.db, automation_id)).length >= most)
        throw new AppError('plan_limit', `An automation has at most ${most} fixtures. Delete one first.`);
      const fixture = {
        id: ctx.newId(),
        workspace_id,
        automation_id,
        name,
        trigger_kind,
        payload,
        recorded_at: started_at,
        calls: recording,
        created_by_label: ctx.caller.label,
        created_at: ctx.now,
      };
      if (!(await insertFixture(ctx.db, fixture)))
        throw new AppError('conflict', `There is a fixture called ${name}. Delete it first, or choose another name.`);
      const { tool_grants: grants = [] } = (await findAutomation(ctx.db, automation_id)) ?? {};
      return { automation_id, name, effects: recording.flatMap((call) => findEffect(call, { find, grants }) ?? []) };
    },
  });
}
