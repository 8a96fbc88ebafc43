import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call, readText } from '../../api/call.ts';
import { readSdk } from './sdk.ts';

export type ListedAutomation = Output<'list_automations'>['automations'][number];
export type Automation = Output<'get_automation'>;
export type AutomationRun = Output<'list_automation_runs'>['runs'][number];
export type RunRecord = Output<'get_automation_run'>;

export const automationsQuery = queryOptions({
  queryKey: ['automations', 'list'],
  queryFn: async ({ signal }) => (await call('list_automations', { limit: 200 }, { signal })).automations,
});

export function buildAutomationQuery(id: string) {
  return queryOptions({
    queryKey: ['automations', 'one', id],
    queryFn: ({ signal }) => call('get_automation', { automation_id: id }, { signal }),
  });
}

export function buildRunsQuery(id: string) {
  return queryOptions({
    queryKey: ['automations', 'runs', id],
    queryFn: async ({ signal }) =>
      (await call('list_automation_runs', { automation_id: id, limit: 50 }, { signal })).runs,
  });
}

const lookMs = 1_000;

/** A run. An unfinished run is polled, so that its output appears as it comes. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['automations', 'run', id],
    queryFn: ({ signal }) => call('get_automation_run', { run_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : lookMs),
  });
}

export function isOver({ status }: Pick<AutomationRun, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

export function updateAutomation(change: Input<'update_automation'>) {
  return call('update_automation', change);
}

export function runOnce(input: Input<'run_automation_once'>) {
  return call('run_automation_once', input);
}

export function replayRun(run_id: string) {
  return call('replay_automation_run', { run_id });
}

export function stopRun(run_id: string) {
  return call('stop_automation_run', { run_id });
}

export function endAutomation(automation_id: string) {
  return call('delete_automation', { automation_id });
}

export type TestResult = Output<'test_automation'>;

export function estimateQuery(id: string) {
  return queryOptions({
    queryKey: ['automations', 'estimate', id],
    queryFn: ({ signal }) => call('estimate_automation_cost', { automation_id: id }, { signal }),
  });
}

export function acceptChange(input: Input<'accept_automation_change'>) {
  return call('accept_automation_change', input);
}

export function declineChange(change_id: string) {
  return call('decline_automation_change', { change_id });
}

export function testAutomation(input: Input<'test_automation'>) {
  return call('test_automation', input);
}

export function saveFixture(input: Input<'save_automation_fixture'>) {
  return call('save_automation_fixture', input);
}

export function deleteFixture(input: Input<'delete_automation_fixture'>) {
  return call('delete_automation_fixture', input);
}

export function rotateWebhook(automation_id: string) {
  return call('rotate_automation_webhook', { automation_id });
}

/** The SDK of automations, as the server serves it. */
export const sdkQuery = queryOptions({
  queryKey: ['automation-sdk'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => readSdk(await readText('/sdks/automation-sdk-v1.ts', { signal })),
});

/** The names that code finds in `env`. */
export const variablesQuery = queryOptions({
  queryKey: ['variables', 'in-code'],
  queryFn: async ({ signal }) => {
    const { variables } = await call('list_variables', {}, { signal });
    const names = new Map(variables.map(({ name, description }) => [name, description]));
    return [...names].map(([name, info]) => ({ name, type: 'string', info }));
  },
});
