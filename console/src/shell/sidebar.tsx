import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleHelp, LogOut } from 'lucide-react';
import { meQuery } from '../features/accounts/requests.ts';
import type { DestinationGroup } from './destinations.ts';
import { useDestinationGroups } from './use-destinations.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WaitingCount } from './waiting-count.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

type Props = { isLive: boolean; onHelp: () => void };

/** The navigation on a screen that is wide enough. */
export function Sidebar({ isLive, onHelp }: Props) {
  const groups = useDestinationGroups();
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line px-3 py-4 md:flex">
      <WorkspaceSwitcher />
      <nav aria-label="Main" className="mt-5 flex-1 space-y-5 overflow-y-auto">
        {groups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </nav>
      <Foot isLive={isLive} onHelp={onHelp} />
    </aside>
  );
}

function Group({ group: { title, destinations } }: { group: DestinationGroup }) {
  return (
    <div>
      <h2 className="mb-1 px-2.5 text-xs font-medium text-faint">{title}</h2>
      <ul className="space-y-0.5">
        {destinations.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              <Icon className="size-4 shrink-0" aria-hidden />
              <span className="flex-1">{label}</span>
              {to === '/inbox' && (
                <WaitingCount className="rounded-md bg-wait-wash px-1.5 text-xs leading-5 font-semibold text-wait" />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Foot({ isLive, onHelp }: { isLive: boolean; onHelp: () => void }) {
  const { data: me } = useQuery(meQuery);
  const signOut = useSignOut();
  const iconButton =
    'grid size-8 place-items-center rounded-lg text-faint transition-colors hover:bg-hover hover:text-ink';
  return (
    <div className="space-y-2 border-t border-line pt-3">
      <div className="flex items-center gap-1">
        <Link
          to="/account"
          title="My account"
          className="min-w-0 flex-1 rounded-lg px-2.5 py-1 hover:bg-hover focus-visible:-outline-offset-2 aria-[current=page]:bg-hover"
        >
          <span className="block truncate text-[13px] font-medium">
            <span className="sr-only">My account: </span>
            {me?.person.name}
          </span>
          <span className="flex items-center gap-1.5 text-xs text-faint">
            <span aria-hidden className={`size-1.5 rounded-full ${isLive ? 'bg-go' : 'bg-edge'}`} />
            {isLive ? 'Live' : 'Offline'}
          </span>
        </Link>
        <button aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={onHelp} className={iconButton}>
          <CircleHelp className="size-4" aria-hidden />
        </button>
        <button aria-label="Sign out" title="Sign out" onClick={signOut} className={iconButton}>
          <LogOut className="size-4" aria-hidden />
        </button>
      </div>
      <div className="px-2.5">
        <ThemeSwitch />
      </div>
    </div>
  );
}
