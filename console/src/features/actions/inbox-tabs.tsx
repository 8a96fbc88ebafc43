import { Link } from '@tanstack/react-router';
import { Tag } from '../../design/page.tsx';

const tabClass =
  'flex h-8 items-center gap-2 rounded-lg px-3 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink';

/** The tabs of the inbox: pending and decided drafts. */
export function InboxTabs({ waiting, isHistory = false }: { waiting: number; isHistory?: boolean }) {
  return (
    <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-3 max-md:pt-6">
      <h1 className="text-lg font-semibold tracking-tight">Inbox</h1>
      <nav aria-label="Inbox" className="flex gap-1">
        <Link
          to="/inbox"
          activeOptions={{ exact: true }}
          aria-current={isHistory ? undefined : 'page'}
          className={tabClass}
        >
          Waiting {waiting > 0 && <Tag tone="wait">{waiting}</Tag>}
        </Link>
        <Link to="/inbox/history" aria-current={isHistory ? 'page' : undefined} className={tabClass}>
          History
        </Link>
      </nav>
    </header>
  );
}
