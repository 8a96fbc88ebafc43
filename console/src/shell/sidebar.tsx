import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleHelp, LogOut } from 'lucide-react';
import { meQuery } from '../features/accounts/requests.ts';
import { daily, setUp, type Destination } from './destinations.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WaitingCount, WaitingMark } from './waiting-count.tsx';

type Props = { isLive: boolean; onHelp: () => void };

/** The way around on a screen that is wide enough. */
export function Sidebar({ isLive, onHelp }: Props) {
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line px-3 py-4 md:flex">
      <Link to="/" className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5">
        <WaitingMark className="size-6" />
        <span className="text-[15px] font-semibold tracking-tight">Thalamus</span>
      </Link>
      <nav aria-label="Main" className="mt-6 flex-1 space-y-6 overflow-y-auto">
        <DestinationList destinations={daily} />
        <div>
          <h2 className="mb-1.5 px-2.5 text-xs font-medium text-faint">Set up</h2>
          <DestinationList destinations={setUp} />
        </div>
      </nav>
      <Foot isLive={isLive} onHelp={onHelp} />
    </aside>
  );
}

function DestinationList({ destinations }: { destinations: readonly Destination[] }) {
  return (
    <ul className="space-y-0.5">
      {destinations.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="flex h-8.5 items-center gap-2.5 rounded-lg px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
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
  );
}

function Foot({ isLive, onHelp }: { isLive: boolean; onHelp: () => void }) {
  const { data: me } = useQuery(meQuery);
  const signOut = useSignOut();
  const iconButton =
    'grid size-8 place-items-center rounded-lg text-faint transition-colors hover:bg-hover hover:text-ink';
  return (
    <div className="space-y-3 border-t border-line pt-3">
      <div className="flex items-center gap-1 pl-2.5">
        <div className="min-w-0 flex-1">
          <p className="truncate text-[13px] font-medium">{me?.person.name}</p>
          <p className="flex items-center gap-1.5 text-xs text-faint">
            <span aria-hidden className={`size-1.5 rounded-full ${isLive ? 'bg-go' : 'bg-edge'}`} />
            {isLive ? 'Live' : 'Not live'}
          </p>
        </div>
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
