import { Link } from '@tanstack/react-router';
import { LogOut, Menu } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { PlainDialog } from '../design/plain-dialog.tsx';
import { useNavigation, usePosition, type NavigationGroup, type NavigationPlace } from '../routing/navigation.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const tabClass =
  'relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-[11px] font-medium text-faint aria-[current=page]:text-ink';

/** How many places are under the thumb, beside “More”. */
const dailyPlaces = 4;

/** The navigation on a phone: the daily places under the thumb, the rest behind “More”. */
export function BottomBar() {
  const [isOpen, setIsOpen] = useState(false);
  const groups = useNavigation();
  const daily = groups.flatMap(({ places }) => places).slice(0, dailyPlaces);
  const rest = groups
    .map((group) => ({ ...group, places: group.places.filter((place) => !daily.includes(place)) }))
    .filter(({ places }) => places.length);
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {daily.map((place) => (
        <DailyPlace key={place.label} place={place} />
      ))}
      <button className={tabClass} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Menu className="size-5" aria-hidden />
        More
      </button>
      <MoreSheet groups={rest} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </nav>
  );
}

function DailyPlace({ place: { label, icon: Icon, entries } }: { place: NavigationPlace }) {
  const isHere = usePosition()?.place.label === label;
  const [{ to, badge: Badge }] = entries;
  return (
    <Link
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isHere ? 'page' : undefined}
      className={tabClass}
    >
      <span className="relative">
        <Icon className="size-5" aria-hidden />
        {Badge && (
          <Badge className="absolute -top-1.5 left-3 rounded-full bg-wait-wash px-1.5 text-[10px] leading-4 font-bold text-wait" />
        )}
      </span>
      {label}
    </Link>
  );
}

type SheetProps = { groups: readonly NavigationGroup[]; isOpen: boolean; onClose: () => void };

function MoreSheet({ groups, isOpen, onClose }: SheetProps) {
  const signOut = useSignOut();
  return (
    <PlainDialog isOpen={isOpen} onClose={onClose} title="More">
      <div className="-mx-2.5 mb-4">
        <WorkspaceSwitcher />
      </div>
      {groups.map(({ title, places }) => (
        <section key={title} aria-label={title} className="mb-4">
          <h3 className="text-[13px] font-medium text-faint">{title}</h3>
          <ul className="-mx-2 grid grid-cols-2">
            {places.map((place) => (
              <Row key={place.label} place={place} onClick={onClose} />
            ))}
          </ul>
        </section>
      ))}
      <div className="flex items-center justify-between border-t border-line pt-3">
        <ThemeSwitch />
        <Button look="quiet" icon={<LogOut className="size-4" />} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </PlainDialog>
  );
}

type RowProps = { place: NavigationPlace; onClick: () => void };

function Row({ place: { label, icon: Icon, entries }, onClick }: RowProps) {
  return (
    <li>
      <Link
        to={entries[0].to}
        onClick={onClick}
        className="flex h-11 items-center gap-3 rounded-xl px-2 hover:bg-hover"
      >
        <Icon className="size-5 text-faint" aria-hidden />
        {label}
      </Link>
    </li>
  );
}
