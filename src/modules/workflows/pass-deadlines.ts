// Emits an event for each deadline that passed.
import type { Db, Transactions } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import type { Round } from '#kernel/module';
import { queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import { computeDeadlineEnd, findNextEnd } from './deadline-ends.ts';
import { workflowDeadlinePassed } from './events.ts';
import { lockPassedWorkflows, setNextDeadline } from './store/deadlines.ts';
import type { WorkflowRow } from './store/tables.ts';

type RoundDeps = { transactions: Transactions; emitEvent: EmitEvent; now: () => Date; newId: () => string };

/** How many workflows are looked at in one round; the rest follow a minute later. */
const mostAtOnce = 200;

export function createDeadlineRound({ transactions, emitEvent, now, newId }: RoundDeps): Round {
  return {
    name: 'workflows.deadlines',
    findWorkspaces: (db) => queryWorkspaceIds(db, sql`workspaces_with_passed_deadlines(${now()})`),
    run: (workspaceId) =>
      transactions.run(workspaceId, 'write', async (db) => {
        const at = now();
        const passed = await lockPassedWorkflows(db, at, mostAtOnce);
        for (const workflow of passed) await emitPassed({ db, emitEvent, newId }, workflow, at);
      }),
  };
}

type Emitting = { db: Db; emitEvent: EmitEvent; newId: () => string };

async function emitPassed({ db, emitEvent, newId }: Emitting, workflow: WorkflowRow, at: Date): Promise<void> {
  const { id, workspace_id: workspaceId, brain_id, deadlines, next_deadline_at: since } = workflow;
  for (const { name, due } of listPassed(deadlines, since ?? at, at)) {
    const event = workflowDeadlinePassed({ workflow_id: id, brain_id, name, due }, { brainId: brain_id });
    await emitEvent(db, event, { id: newId(), workspaceId, at });
  }
  await setNextDeadline(db, id, findNextEnd(deadlines, new Date(at.getTime() + 1)));
}

/** The open deadlines that ended in a period, both ends included. */
function listPassed(deadlines: WorkflowRow['deadlines'], since: Date, until: Date): WorkflowRow['deadlines'] {
  return deadlines.filter((deadline) => {
    const end = computeDeadlineEnd(deadline);
    return !deadline.is_done && end >= since.getTime() && end <= until.getTime();
  });
}
