import { Link } from '@tanstack/react-router';
import type { ComponentProps, ComponentType } from 'react';
import { joinClassNames } from './class-names.ts';

export type Tab = {
  to: ComponentProps<typeof Link>['to'];
  label: string;
  /** Drawn after the label, such as a count of waiting items. */
  badge?: ComponentType<{ className?: string }> | undefined;
};

type Props = {
  label: string;
  tabs: readonly Tab[];
  /** The address of the tab that is shown. */
  chosen: Tab['to'];
  className?: string;
};

/** Pages that belong together, as links side by side. */
export function Tabs({ label, tabs, chosen, className }: Props) {
  return (
    <nav aria-label={label} className={joinClassNames('flex gap-1 overflow-x-auto', className)}>
      {tabs.map(({ to, label: name, badge: Badge }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          aria-current={to === chosen ? 'page' : undefined}
          className="flex h-8 shrink-0 items-center gap-2 rounded-lg px-3 text-sm text-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {name}
          {Badge && <Badge className="rounded-md bg-wait-wash px-1.5 text-xs leading-5 font-semibold text-wait" />}
        </Link>
      ))}
    </nav>
  );
}
