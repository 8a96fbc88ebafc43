import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
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

export function setWorkflowState(workflowId: string, state: 'active' | 'paused') {
  return call('update_workflow', { workflow_id: workflowId, state });
}

export function closeWorkflow(workflowId: string) {
  return call('close_workflow', { workflow_id: workflowId });
}

export function deleteWorkflow({ workflow_id, title }: Workflow) {
  return call('delete_workflow', { workflow_id, confirm: title });
}
