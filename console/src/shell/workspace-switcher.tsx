import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '../entities/me.ts';
import {
  acceptInvitation,
  invitationsQuery,
  switchWorkspace,
  workspacesQuery,
} from '../features/accounts/workspace-requests.ts';
import { WaitingMark } from '../features/actions/waiting-count.tsx';
import { useNavigation } from '../routing/navigation.ts';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import { useCall } from '../design/use-call.ts';

const itemClass =
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover';

/** The workspace that is shown: its own pages, and the way to another one. */
export function WorkspaceSwitcher() {
  const { data: me } = useQuery(meQuery);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2">
          <WaitingMark className="size-6 shrink-0" />
          <span className="min-w-0 flex-1 truncate text-[15px] font-semibold tracking-tight">{me?.workspace.name}</span>
          <span className="sr-only">Workspace menu</span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4} className="z-60">
            <Menu.Popup className="w-64 rounded-xl border border-line bg-raised p-1.5 shadow-lift outline-none">
              <PlaceItems />
              {/* A session opened by a key cannot switch workspaces. */}
              {me?.caller.is_human_surface && (
                <>
                  <Menu.Separator className="mx-1 my-1.5 h-px bg-line" />
                  <WorkspaceItems />
                  <InvitationItems />
                  <Menu.Item className={itemClass} onClick={() => setIsCreating(true)}>
                    <Plus className="size-4 text-faint" aria-hidden />
                    Create workspace
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <NewWorkspaceDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

/** The pages of the workspace itself. */
function PlaceItems() {
  const groups = useNavigation().filter(({ menu }) => menu === 'workspace');
  return groups.flatMap(({ places }) =>
    places.map(({ label, icon: Icon, entries: [{ to }] }) => (
      <Menu.Item key={label} className={itemClass} render={<Link to={to} />}>
        <Icon className="size-4 text-faint" aria-hidden />
        {label}
      </Menu.Item>
    )),
  );
}

function WorkspaceItems() {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const switching = useCall(switchWorkspace, { failure: 'The workspace was not switched' });
  return workspaces.map(({ workspace_id, name, is_current }) => (
    <Menu.Item
      key={workspace_id}
      className={itemClass}
      onClick={() => !is_current && switching.call(workspace_id)}
      aria-current={is_current || undefined}
    >
      <Check className={`size-4 ${is_current ? 'text-go' : 'invisible'}`} aria-hidden />
      <span className="min-w-0 flex-1 truncate">{name}</span>
    </Menu.Item>
  ));
}

/** Workspaces that invited the person. Signing in joins none of them: the person accepts each invitation. */
function InvitationItems() {
  const { data: invitations = [] } = useQuery(invitationsQuery);
  const joining = useCall(acceptInvitation, { failure: 'You did not join' });
  return invitations.map(({ workspace_id, name, invited_by }) => (
    <Menu.Item
      key={workspace_id}
      className={`${itemClass} items-start py-2`}
      onClick={() => joining.call(workspace_id)}
    >
      <Plus className="mt-0.5 size-4 shrink-0 text-go" aria-hidden />
      <span className="min-w-0 flex-1 wrap-anywhere">
        Join {name}
        <span className="block text-[13px] text-soft">{invited_by} invited you</span>
      </span>
    </Menu.Item>
  ));
}
