import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePosition } from '../routing/navigation.ts';
import { BackLink } from './back-link.tsx';
import { joinClassNames } from './class-names.ts';
import { useTitle } from './page.tsx';

/** The heading that all forms of pages share. */
export type Heading = {
  /** The heading; also names the browser's tab. */
  title: string;
  /** One sentence below it. */
  lead?: ReactNode;
  /** The main action, at the right of the title. */
  action?: ReactNode;
};

type Props = Heading & {
  /** The state of an object, after its name. */
  state?: ReactNode;
  /** Above the title: the link to the list that an object belongs to. */
  back?: ReactNode;
  /** `column`: 1,040 px, for lists, objects and settings. `full`: the whole width. */
  width?: 'column' | 'full';
  children: ReactNode;
};

/** Width, margins and heading of a page. Use one of the five page forms instead: they are built on it. */
export function PageFrame({ title, lead, action, state, back, width = 'column', children }: Props) {
  useTitle(title);
  return (
    <div
      className={joinClassNames(
        'mx-auto w-full px-4 pt-6 pb-24 sm:px-8 sm:pt-10',
        width === 'column' && 'max-w-[calc(1040px+4rem)]',
      )}
    >
      {back}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="min-w-0 text-[22px] leading-tight font-semibold tracking-tight wrap-anywhere sm:text-[26px]">
              <bdi>{title}</bdi>
            </h1>
            {state}
          </div>
          {lead && (
            <p className="mt-1.5 max-w-2xl text-[15px] leading-relaxed text-pretty wrap-anywhere text-soft">{lead}</p>
          )}
        </div>
        {action && <div className="flex max-w-full flex-wrap items-center gap-2">{action}</div>}
      </header>
      {children}
    </div>
  );
}

/** The link from an object to the list above it, from the navigation. A page with its own entry has none. */
export function BackToList() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const position = usePosition();
  if (!position || position.entry.to === pathname) return null;
  const { place, entry } = position;
  // The navigation has only paths without parameters.
  const to = entry.to as '/';
  return <BackLink to={to}>{entry === place.entries[0] ? place.label : entry.label}</BackLink>;
}
