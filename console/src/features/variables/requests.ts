import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Tier = 'org' | 'brain' | 'agent' | 'permission_set' | 'person';

export type Variable = Output<'list_variables'>['variables'][number];

export type PermissionSet = Output<'list_permission_sets'>['permission_sets'][number];

/** Every variable the person may know of; values are never among the answers. */
export const variablesQuery = queryOptions({
  queryKey: ['variables', 'all'],
  queryFn: ({ signal }) => call('list_variables', {}, { signal }),
  select: (answer) => answer.variables,
});

export const permissionSetsQuery = queryOptions({
  queryKey: ['variables', 'sets'],
  queryFn: ({ signal }) => call('list_permission_sets', {}, { signal }),
  select: (answer) => answer.permission_sets,
});

export type VariableLinkInput = Input<'create_variable_link'>;

/** Makes the page where the value is pasted; it never passes through the console. */
export function createLink(asked: VariableLinkInput): Promise<Output<'create_variable_link'>> {
  return call('create_variable_link', asked);
}

export function deleteVariable({ scope, scope_id, name }: Variable): Promise<unknown> {
  const isNamed = scope !== 'org' && scope !== 'person';
  return call('delete_variable', { var_scope: scope, var_name: name, ...(isNamed && { scope_id }) });
}

export function createSet(name: string): Promise<Output<'create_permission_set'>> {
  return call('create_permission_set', { name });
}

export function deleteSet(permission_set_id: string): Promise<unknown> {
  return call('delete_permission_set', { permission_set_id });
}

/** Lets an agent draw on a set, or for null on none. */
export function assignSet(assignment: { permission_set_id: string | null; caller: string }): Promise<unknown> {
  return call('assign_permission_set', assignment);
}

/** Says where a variable may be sent; its value stays. */
export function changeHosts({ of, hosts }: { of: Variable; hosts: string[] }): Promise<Variable> {
  return call('update_variable', { ...toVariableName(of), hosts });
}

/** Accepts the description that an agent wrote. From then on agents see it. */
export function acceptDescription(of: Variable): Promise<Variable> {
  return call('update_variable', { ...toVariableName(of), description: of.description });
}

function toVariableName({ scope, scope_id, name }: Variable) {
  const isNamed = scope !== 'org' && scope !== 'person';
  return { var_scope: scope, var_name: name, ...(isNamed && { scope_id }) };
}
