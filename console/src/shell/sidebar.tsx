import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleHelp, LogOut, Search } from 'lucide-react';
import { Kbd } from '../design/kbd.tsx';
import { meQuery } from '../entities/me.ts';
import { useNavigation, usePosition, type NavigationGroup, type NavigationPlace } from '../routing/navigation.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

type Props = { isLive: boolean; onSearch: () => void; onHelp: () => void };

/** The navigation on a screen that is wide enough. */
export function Sidebar({ isLive, onSearch, onHelp }: Props) {
  const groups = useNavigation().filter(({ menu }) => menu === 'main');
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line px-3 py-4 md:flex">
      <WorkspaceSwitcher />
      <button
        onClick={onSearch}
        className="mt-3 flex h-9 w-full items-center gap-2.5 rounded-lg border border-edge bg-surface px-2.5 text-sm text-faint shadow-card hover:border-faint"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 text-left">Search everything</span>
        <span className="text-ink">
          <Kbd>⌘K</Kbd>
        </span>
      </button>
      <nav aria-label="Main" className="-mx-1 mt-4 min-h-0 flex-1 space-y-4 overflow-y-auto px-1">
        {groups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </nav>
      <Foot isLive={isLive} onHelp={onHelp} />
    </aside>
  );
}

function Group({ group: { title, places } }: { group: NavigationGroup }) {
  return (
    <div>
      {title && <h2 className="mb-1 px-2.5 text-xs font-medium text-faint">{title}</h2>}
      <ul className="space-y-0.5">
        {places.map((place) => (
          <PlaceLink key={place.label} place={place} />
        ))}
      </ul>
    </div>
  );
}

function PlaceLink({ place }: { place: NavigationPlace }) {
  const isHere = usePosition()?.place.label === place.label;
  const { label, icon: Icon, entries } = place;
  const [{ to, badge: Badge }] = entries;
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isHere ? 'page' : undefined}
        className="flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
      >
        <Icon className="size-4 shrink-0" aria-hidden />
        <span className="flex-1">{label}</span>
        {Badge && <Badge className="rounded-md bg-wait-wash px-1.5 text-xs leading-5 font-semibold text-wait" />}
      </Link>
    </li>
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
