import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpenText, FileText } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { SplitPage } from '../../design/split-page.tsx';
import { EmptyState } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { PageFilters } from './page-filters.tsx';
import { PageList } from './page-list.tsx';
import { PageView } from './page-view.tsx';
import type { PagesAddress } from './pages-address.ts';
import { useFoundPages } from './use-found-pages.ts';

type Props = {
  address: PagesAddress;
  /** The page that is read; none on the list's own address. */
  pageId: string | undefined;
  onChange: (change: PagesAddress) => void;
};

/** Pages that integrations fetched: the list and, beside it, the chosen page. On a phone one or the other. */
export function PagesPage({ address, pageId, onChange }: Props) {
  const found = useFoundPages(address);
  const ids = found.pages.map(({ id }) => id);
  const open = useReaderKeys({ address, pageId, ids });
  const isNarrowed = Boolean(address.q ?? address.source ?? address.type ?? address.when);
  if (found.isEmpty && !isNarrowed && !pageId) return <NothingSynced />;
  return (
    <SplitPage
      title="Library"
      listLabel="Found pages"
      detailLabel="Page"
      detailId="reading"
      toolbar={
        <>
          <PageFilters
            address={address}
            onChange={(change) => onChange({ ...change, file: undefined })}
            onEnter={() => open(ids[0])}
          />
          <p role="status" className="px-4 pt-2 text-[13px] text-faint">
            {found.said}
          </p>
        </>
      }
      list={
        <div className="min-h-0 flex-1 overflow-y-auto">
          <PageList found={found} address={address} chosen={pageId} onOpen={moveFocusToReading} />
        </div>
      }
      detail={pageId && <PageView key={pageId} id={pageId} address={address} terms={found.terms} />}
      nothingChosen={<NothingChosen />}
    />
  );
}

/** `j` and `k` go through the list, Enter reads, Escape goes back to the list. Answers how a page is opened. */
function useReaderKeys(options: { address: PagesAddress; pageId: string | undefined; ids: readonly string[] }) {
  const { address, pageId, ids } = options;
  const navigate = useNavigate();
  const at = pageId ? ids.indexOf(pageId) : -1;
  const open = (id: string | undefined) => {
    if (!id) return;
    const search = { ...address, file: undefined };
    void navigate({
      to: '/library/$pageId',
      params: { pageId: id },
      search,
      replace: Boolean(pageId),
      resetScroll: false,
    });
    moveFocusToRow(id);
  };
  const move = (step: 1 | -1) => () => open(ids[Math.max(0, Math.min(at + step, ids.length - 1))]);
  const back = () => {
    void navigate({ to: '/library', search: { ...address, file: undefined }, resetScroll: false });
    if (pageId) setTimeout(() => moveFocusToRow(pageId));
  };
  useKeys({ j: move(1), k: move(-1), Escape: pageId ? back : undefined });
  return open;
}

function moveFocusToRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-page="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

/** The page is shown as soon as its row is chosen; opening it goes on into it, so that the keys scroll there. */
function moveFocusToReading(): void {
  setTimeout(() => document.querySelector<HTMLElement>('#reading')?.focus({ preventScroll: true }));
}

function NothingChosen() {
  return (
    <div className="grid h-full place-items-center">
      <EmptyState icon={<BookOpenText />} title="Select an item">
        <p>It opens here.</p>
        <p className="mt-3 flex flex-wrap items-center justify-center gap-x-4 gap-y-1.5 text-[13px] text-faint">
          <span className="flex items-center gap-1.5">
            <Kbd>j</Kbd> <Kbd>k</Kbd> next, previous
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd>/</Kbd> search
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd>Esc</Kbd> back
          </span>
        </p>
      </EmptyState>
    </div>
  );
}

function NothingSynced() {
  return (
    <SplitPage
      title="Library"
      listLabel="Found pages"
      detailLabel="Page"
      isListAlone
      list={
        <EmptyState
          icon={<FileText />}
          title="Nothing synced yet"
          action={
            <Link to="/integrations" search={{}} className={getButtonClass('primary')}>
              Connect an account
            </Link>
          }
        >
          Connect a mailbox, a calendar or a drive. Its items appear here as pages that you and your agents can search.
        </EmptyState>
      }
    />
  );
}
