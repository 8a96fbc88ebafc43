import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MoreMenu, type MenuAction } from './more-menu.tsx';
import { BackToList, PageFrame, type Heading } from './page-frame.tsx';
import { QueryResult, type QueryState } from './query-state.tsx';

/** A tab of an object: Overview · … · Activity · Settings. */
export type ObjectTab = {
  label: string;
  /** The same page with the tab in its search parameters, made by `linkOptions`. */
  link: LinkProps;
  isChosen: boolean;
};

type Props = Heading & {
  /** The name of the object, in lower case: “automation”. Used as the page's name until the object is loaded. */
  noun: string;
  /** Absent: nothing has to be loaded. */
  query?: QueryState | undefined;
  /** The state after the name, as a `Tag`. */
  state?: ReactNode;
  /** Further actions, behind `⋯`. */
  more?: readonly MenuAction[];
  tabs?: readonly ObjectTab[];
  /** The link back. Default: the list above this page in the navigation. */
  back?: ReactNode;
  children: ReactNode;
};

/** The page of one object: its name, its state, one main action, further ones behind `⋯`, and tabs. */
export function ObjectPage(props: Props) {
  const { noun, query, action, more = [], tabs = [], back = <BackToList />, children, ...heading } = props;
  return (
    <PageFrame
      {...heading}
      back={back}
      action={
        (action || more.length > 0) && (
          <>
            {action}
            <MoreMenu label={`More actions for this ${noun}`} actions={more} />
          </>
        )
      }
    >
      {tabs.length > 0 && <ObjectTabs noun={noun} tabs={tabs} />}
      <QueryResult query={query} noun={`the ${noun}`}>
        {children}
      </QueryResult>
    </PageFrame>
  );
}

function ObjectTabs({ noun, tabs }: { noun: string; tabs: readonly ObjectTab[] }) {
  return (
    <nav aria-label={`About this ${noun}`} className="-mx-1 mb-6 flex gap-1 overflow-x-auto border-b border-line px-1">
      {tabs.map(({ label, link, isChosen }) => (
        <Link
          key={label}
          {...link}
          ref={isChosen ? scrollLinkToView : undefined}
          aria-current={isChosen ? 'page' : undefined}
          className="-mb-px shrink-0 border-b-2 border-transparent px-3 py-2 text-sm text-soft hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** On a phone the tabs scroll sideways, and the chosen one has to be seen. */
function scrollLinkToView(link: HTMLAnchorElement | null): void {
  const bar = link?.closest('nav');
  if (link && bar) bar.scrollLeft = link.offsetLeft - bar.offsetLeft - 24;
}
