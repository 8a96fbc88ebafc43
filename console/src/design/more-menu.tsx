import { Menu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

/** One action behind `⋯`. A dangerous action asks for confirmation in a `ConfirmDialog`. */
export type MenuAction = {
  label: string;
  icon?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
};

/** Further actions, behind `⋯`. Renders nothing without actions. */
export function MoreMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  if (!actions.length) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={label}
        className="grid size-9 shrink-0 place-items-center rounded-lg border border-edge bg-surface text-soft shadow-card hover:bg-hover hover:text-ink data-popup-open:bg-hover"
      >
        <Ellipsis className="size-4" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-30">
          <Menu.Popup className="min-w-48 rounded-xl border border-line bg-raised p-1.5 shadow-lift outline-none">
            {actions.map(({ label: name, icon, isDanger = false, isDisabled = false, onSelect }) => (
              <Menu.Item
                key={name}
                disabled={isDisabled}
                onClick={onSelect}
                className={joinClassNames(
                  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-disabled:opacity-55 data-highlighted:bg-hover [&_svg]:size-4',
                  isDanger && 'text-stop',
                )}
              >
                {icon}
                {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
