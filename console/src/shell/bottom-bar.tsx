import { Link } from '@tanstack/react-router';
import { LogOut, Menu } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { daily, setUp } from './destinations.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WaitingCount } from './waiting-count.tsx';

const tabClass =
  'relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-[11px] font-medium text-faint aria-[current=page]:text-ink';

/** The way around on a phone: the daily places under the thumb, the rest behind «More». */
export function BottomBar() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {daily.map(({ to, label, icon: Icon }) => (
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
      <MoreSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </nav>
  );
}

function MoreSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const signOut = useSignOut();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="More">
      <ul className="-mx-2">
        {setUp.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link to={to} onClick={onClose} className="flex h-12 items-center gap-3 rounded-xl px-2 hover:bg-hover">
              <Icon className="size-5 text-faint" aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex items-center justify-between border-t border-line pt-4">
        <ThemeSwitch />
        <Button look="quiet" icon={<LogOut className="size-4" />} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </Dialog>
  );
}
