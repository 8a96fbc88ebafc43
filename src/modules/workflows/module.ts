import { defineModule } from '#kernel/module';
import { getSaveDeps, pauseWorkflowAutomations } from '#modules/automations';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { endRosterKeys, endWorkflowsOfPerson } from './end-person.ts';
import { workflowChanged, workflowDeadlinePassed } from './events.ts';
import { workflowResource } from './ids.ts';
import { closeWorkflow } from './operations/close-workflow.ts';
import { createWorkflow } from './operations/create-workflow.ts';
import { deleteWorkflow } from './operations/delete-workflow.ts';
import { getWorkflow } from './operations/get-workflow.ts';
import { listWorkflows } from './operations/list-workflows.ts';
import { updateWorkflow } from './operations/update-workflow.ts';
import { createDeadlineRound } from './pass-deadlines.ts';
import { portableWorkflows } from './portable.ts';
import { workflowContents } from './store/contents.ts';
import { listWorkflowIdsOfBrain } from './store/workflows.ts';
import { purgeWorkflows } from './uninstall-workflows.ts';

/** Goals with a team and dates, and automations of their own. */
export const workflowsModule = defineModule<Ground>({
  name: 'workflows',
  resources: [workflowResource],
  events: [workflowChanged, workflowDeadlinePassed],
  contents: [workflowContents],
  portable: [portableWorkflows],
  dependents: [
    {
      async release(ctx, brainId) {
        const ids = await listWorkflowIdsOfBrain(ctx.db, brainId);
        return {
          automations_paused: await pauseWorkflowAutomations(ctx, ids, 'Its workflow was deleted with its brain.'),
        };
      },
    },
  ],
  endPerson: endWorkflowsOfPerson,
  tidy: purgeWorkflows,
  endKeys: endRosterKeys,
  work: ({ transactions, emitEvent }) => ({
    eachMinute: [createDeadlineRound({ transactions, emitEvent, now, newId })],
  }),
  operations(ground) {
    const deps = getSaveDeps(ground);
    return [
      createWorkflow(deps),
      getWorkflow(deps),
      listWorkflows(deps),
      updateWorkflow(deps),
      closeWorkflow,
      deleteWorkflow,
    ];
  },
});
