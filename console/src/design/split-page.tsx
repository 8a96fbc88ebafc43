import type { ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';
import { useTitle } from './page.tsx';
import { PlaceTabs } from './place-tabs.tsx';

type Props = {
  title: string;
  /** The name of the browser's tab. Default: the title. */
  tabTitle?: string;
  /** What the list contains, for screen readers. */
  listLabel: string;
  detailLabel: string;
  /** Search and filters above the list. */
  toolbar?: ReactNode;
  /** The list. It scrolls by itself. */
  list: ReactNode;
  /** The selected item. Without one, the list is alone below 1,024 px, and `nothingChosen` is beside it above. */
  detail?: ReactNode;
  nothingChosen?: ReactNode;
  /** The list takes the whole width, because there is nothing to select. */
  isListAlone?: boolean;
  /** The id of the detail, to be focused by script. */
  detailId?: string;
};

/** A page with a list and, beside it, the selected item. Below 1,024 px only one of the two is shown. */
export function SplitPage(props: Props) {
  const { title, tabTitle = title, listLabel, detailLabel, detail, nothingChosen, isListAlone = false } = props;
  useTitle(tabTitle);
  return (
    <div
      className={joinClassNames(!isListAlone && 'lg:grid lg:h-dvh lg:grid-cols-[minmax(19rem,25rem)_minmax(0,1fr)]')}
    >
      <section
        aria-label={listLabel}
        className={joinClassNames(
          'flex min-h-0 flex-col border-line max-md:h-[calc(100dvh-4rem)] md:max-lg:h-dvh',
          !isListAlone && 'lg:border-r',
          isListAlone && 'lg:h-dvh',
          Boolean(detail) && 'max-lg:hidden',
        )}
      >
        <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-3 max-md:pt-6">
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          <PlaceTabs isBelowToo className="-mr-1" />
        </header>
        {props.toolbar}
        {props.list}
      </section>
      {!isListAlone && (
        <section
          id={props.detailId}
          tabIndex={props.detailId ? -1 : undefined}
          aria-label={detailLabel}
          className={joinClassNames(
            'min-h-0 outline-none lg:overflow-y-auto lg:contain-strict',
            !detail && 'max-lg:hidden',
          )}
        >
          {detail ?? nothingChosen}
        </section>
      )}
    </div>
  );
}
