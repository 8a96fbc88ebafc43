import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Tier = 'org' | 'brain' | 'agent' | 'permission_set' | 'person';

export type Variable = {
  variable_id: string;
  name: string;
  scope: Tier;
  scope_id: string;
  description: string;
  handle: string;
  placements: string[];
  hosts: string[];
  set_by: string;
  updated_at: string;
};

export type PermissionSet = {
  permission_set_id: string;
  name: string;
  variables: string[];
  holders: { kind: string; id: string }[];
};

/** Every variable the person may know of; values are never among the answers. */
export const variablesQuery = queryOptions({
  queryKey: ['variables', 'all'],
  queryFn: ({ signal }) => call<{ variables: Variable[] }>('list_variables', {}, { signal }),
  select: (answer) => answer.variables,
});

export const permissionSetsQuery = queryOptions({
  queryKey: ['variables', 'sets'],
  queryFn: ({ signal }) => call<{ permission_sets: PermissionSet[] }>('list_permission_sets', {}, { signal }),
  select: (answer) => answer.permission_sets,
});

export type Asked = {
  var_name: string;
  var_scope: Tier;
  scope_id?: string;
  description?: string;
  hosts?: string[];
  placements?: string[];
};

/** Makes the page where the value is pasted; it never passes through the console. */
export function createLink(asked: Asked): Promise<{ url: string; expires_in: string }> {
  return call('create_variable_link', asked);
}

export function deleteVariable({ scope, scope_id, name }: Variable): Promise<unknown> {
  const isNamed = scope !== 'org' && scope !== 'person';
  return call('delete_variable', { var_scope: scope, var_name: name, ...(isNamed && { scope_id }) });
}

export function createSet(name: string): Promise<{ permission_set_id: string }> {
  return call('create_permission_set', { name });
}

export function deleteSet(permission_set_id: string): Promise<unknown> {
  return call('delete_permission_set', { permission_set_id });
}

/** Lets an agent draw on a set, or for null on none. */
export function assignSet(assignment: { permission_set_id: string | null; caller: string }): Promise<unknown> {
  return call('assign_permission_set', assignment);
}
