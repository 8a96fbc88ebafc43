import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Workflow = Output<'get_workflow'>;

export const workflowsQuery = queryOptions({
  queryKey: ['workflows', 'list'],
  queryFn: async ({ signal }) => (await call('list_workflows', { limit: 200 }, { signal })).workflows,
});

export function buildWorkflowQuery(id: string) {
  return queryOptions({
    queryKey: ['workflows', 'one', id],
    queryFn: ({ signal }) => call('get_workflow', { workflow_id: id }, { signal }),
  });
}

/** Changes the parts that are named; the others stay. */
export function changeWorkflow(change: Input<'update_workflow'>) {
  return call('update_workflow', change);
}

/** The drafts of a workflow's automations that wait for an approval, newest first. */
export function buildDraftsQuery({ workflow_id, automations }: Workflow) {
  const ids = automations.map(({ automation_id }) => automation_id);
  return queryOptions({
    queryKey: ['actions', 'of-workflow', workflow_id, ...ids],
    queryFn: async ({ signal }) => {
      const ask = (drafted_by_id: string) => call('list_actions', { status: 'pending', drafted_by_id }, { signal });
      const answers = await Promise.all(ids.map(ask));
      const drafts = answers.flatMap(({ actions }) => actions);
      return drafts.toSorted((one, other) => other.created_at.localeCompare(one.created_at));
    },
  });
}

/** People who may join the team: the members of the workflow's brain. */
export function buildPeopleQuery(brainId: string) {
  return queryOptions({
    queryKey: ['workflows', 'people', brainId],
    queryFn: async ({ signal }) => {
      const { members } = await call('list_members', { brain_id: brainId }, { signal });
      return members.filter(({ status }) => status === 'member');
    },
  });
}

/** Keys of the person who looks. */
export const keysQuery = queryOptions({
  queryKey: ['workflows', 'keys'],
  queryFn: async ({ signal }) => (await call('list_keys', {}, { signal })).keys,
});

export function setWorkflowState(workflowId: string, state: 'active' | 'paused') {
  return call('update_workflow', { workflow_id: workflowId, state });
}

export function closeWorkflow(workflowId: string) {
  return call('close_workflow', { workflow_id: workflowId });
}

export function deleteWorkflow({ workflow_id, title }: Workflow) {
  return call('delete_workflow', { workflow_id, confirm: title });
}
