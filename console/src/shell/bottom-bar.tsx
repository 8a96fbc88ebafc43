import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut, Menu, type LucideIcon } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import type { DestinationGroup } from './destinations.ts';
import { useDestinationGroups } from './use-destinations.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WaitingCount } from './waiting-count.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const tabClass =
  'relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-[11px] font-medium text-faint aria-[current=page]:text-ink';

/** The navigation on a phone: the daily pages under the thumb, the rest behind “More”. */
export function BottomBar() {
  const [isOpen, setIsOpen] = useState(false);
  const [work, ...rest] = useDestinationGroups();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {work?.destinations.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={tabClass}>
          <span className="relative">
            <Icon className="size-5" aria-hidden />
            {to === '/inbox' && (
              <WaitingCount className="absolute -top-1.5 left-3 rounded-full bg-wait-wash px-1.5 text-[10px] leading-4 font-bold text-wait" />
            )}
          </span>
          {label}
        </Link>
      ))}
      <button className={tabClass} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Menu className="size-5" aria-hidden />
        More
      </button>
      <MoreSheet groups={rest} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </nav>
  );
}

type SheetProps = { groups: readonly DestinationGroup[]; isOpen: boolean; onClose: () => void };

function MoreSheet({ groups, isOpen, onClose }: SheetProps) {
  const signOut = useSignOut();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="More">
      <div className="-mx-2.5 mb-4">
        <WorkspaceSwitcher />
      </div>
      {groups.map(({ title, destinations }) => (
        <div key={title} className="mb-4">
          <h3 className="text-[13px] font-medium text-faint">{title}</h3>
          <ul className="-mx-2 grid grid-cols-2">
            {destinations.map(({ to, label, icon }) => (
              <Row key={to} {...{ to, label, icon }} onClick={onClose} />
            ))}
          </ul>
        </div>
      ))}
      <ul className="-mx-2 border-t border-line pt-2">
        <Row to="/account" label="My account" icon={CircleUser} onClick={onClose} />
      </ul>
      <div className="mt-2 flex items-center justify-between">
        <ThemeSwitch />
        <Button look="quiet" icon={<LogOut className="size-4" />} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </Dialog>
  );
}

type RowProps = { to: ComponentProps<typeof Link>['to']; label: string; icon: LucideIcon; onClick: () => void };

function Row({ to, label, icon: Icon, onClick }: RowProps) {
  return (
    <li>
      <Link to={to} onClick={onClick} className="flex h-11 items-center gap-3 rounded-xl px-2 hover:bg-hover">
        <Icon className="size-5 text-faint" aria-hidden />
        {label}
      </Link>
    </li>
  );
}
