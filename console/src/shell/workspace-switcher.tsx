import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { tellFailure } from '../design/toasts.tsx';
import { meQuery } from '../features/accounts/requests.ts';
import {
  acceptInvitation,
  invitationsQuery,
  switchWorkspace,
  workspacesQuery,
} from '../features/accounts/workspace-requests.ts';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import { WaitingMark } from './waiting-count.tsx';

const itemClass =
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover';

/** The workspace that is shown, and the way to another one. */
export function WorkspaceSwitcher() {
  const { data: me } = useQuery(meQuery);
  const [isCreating, setIsCreating] = useState(false);
  const name = me?.workspace.name;
  // A session opened by a key cannot switch workspaces.
  if (!me?.caller.is_human_surface)
    return (
      <p className="flex items-center gap-2.5 px-2.5 py-1.5">
        <WaitingMark className="size-6 shrink-0" />
        <span className="truncate text-[15px] font-semibold tracking-tight">{name}</span>
      </p>
    );
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2">
          <WaitingMark className="size-6 shrink-0" />
          <span className="min-w-0 flex-1 truncate text-[15px] font-semibold tracking-tight">{name}</span>
          <span className="sr-only">Switch workspace</span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4} className="z-60">
            <Menu.Popup className="w-64 rounded-xl border border-line bg-raised p-1.5 shadow-lift outline-none">
              <WorkspaceItems />
              <InvitationItems />
              <Menu.Separator className="mx-1 my-1.5 h-px bg-line" />
              <Menu.Item className={itemClass} onClick={() => setIsCreating(true)}>
                <Plus className="size-4 text-faint" aria-hidden />
                Create workspace
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <NewWorkspaceDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

function WorkspaceItems() {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const switching = useMutation({
    mutationFn: switchWorkspace,
    onError: (error) => tellFailure('The workspace was not switched', error),
  });
  return workspaces.map(({ workspace_id, name, is_current }) => (
    <Menu.Item
      key={workspace_id}
      className={itemClass}
      onClick={() => !is_current && switching.mutate(workspace_id)}
      aria-current={is_current || undefined}
    >
      <Check className={`size-4 ${is_current ? 'text-go' : 'invisible'}`} aria-hidden />
      <span className="min-w-0 flex-1 truncate">{name}</span>
    </Menu.Item>
  ));
}

/** Workspaces that invited the person. Signing in joins none, so that a person says yes first. */
function InvitationItems() {
  const { data: invitations = [] } = useQuery(invitationsQuery);
  const joining = useMutation({
    mutationFn: acceptInvitation,
    onError: (error) => tellFailure('You did not join', error),
  });
  return invitations.map(({ workspace_id, name, invited_by }) => (
    <Menu.Item
      key={workspace_id}
      className={`${itemClass} items-start py-2`}
      onClick={() => joining.mutate(workspace_id)}
    >
      <Plus className="mt-0.5 size-4 shrink-0 text-go" aria-hidden />
      <span className="min-w-0 flex-1 wrap-anywhere">
        Join {name}
        <span className="block text-[13px] text-soft">{invited_by} invited you</span>
      </span>
    </Menu.Item>
  ));
}
