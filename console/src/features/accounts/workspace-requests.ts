import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';
import { signInByLink } from './sign-in-requests.ts';

export type Workspace = Output<'list_workspaces'>['workspaces'][number];

/** The workspaces of the person who is signed in. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => call('list_workspaces', {}, { signal }),
  select: (answer) => answer.workspaces,
});

/** The workspaces that invited the person and wait for their answer. */
export const invitationsQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => call('list_workspaces', {}, { signal }),
  select: (answer) => answer.invitations,
});

/** Joins a workspace, and switches to it. */
export async function acceptInvitation(workspaceId: string): Promise<void> {
  await call('accept_invitation', { workspace_id: workspaceId });
  await switchWorkspace(workspaceId);
}

/** Switches to another workspace and reloads the console, so that no data of the former one remains. */
export async function switchWorkspace(workspaceId: string): Promise<void> {
  const { url } = await call('switch_workspace', { workspace_id: workspaceId });
  await signInByLink(new URL(url).hash.slice(1));
  location.assign('/');
}

export async function createWorkspace(name: string): Promise<void> {
  const { workspace_id } = await call('create_workspace', { name });
  await switchWorkspace(workspace_id);
}

export function renameWorkspace(name: string): Promise<unknown> {
  return call('update_workspace', { name });
}

export function transferWorkspace(personId: string): Promise<unknown> {
  return call('hand_over_workspace', { person_id: personId });
}

export function leaveWorkspace(): Promise<unknown> {
  return call('leave_workspace', {});
}

/**
 * Deletes the workspace, which ends its sessions, and continues in another workspace of the person if there is one. `confirm` is the
 * exact name of the workspace.
 */
export async function deleteWorkspace(confirm: string): Promise<void> {
  const { workspaces } = await call('list_workspaces', {});
  const other = workspaces.find(({ is_current }) => !is_current);
  const link = other && (await call('switch_workspace', { workspace_id: other.workspace_id })); // requested while there is a session
  await call('delete_workspace', { confirm });
  if (!link) return location.assign('/sign-in');
  const signedIn = signInByLink(new URL(link.url).hash.slice(1));
  await signedIn.then(
    () => location.assign('/'),
    () => location.assign('/sign-in'), // the link expired while the person confirmed
  );
}
