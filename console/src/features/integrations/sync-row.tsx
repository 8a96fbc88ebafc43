import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../design/button.tsx';
import { Tag } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { syncNow, stopSync, type Account, type Sync } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const tags = {
  waiting: { text: 'Synced', tone: 'go' },
  running: { text: 'Syncing', tone: 'wait' },
  failing: { text: 'Failed, will retry', tone: 'stop' },
  stopped: { text: 'Stopped', tone: 'stop' },
} as const;
const needsAccount = { text: 'Needs its account', tone: 'stop' } as const;

/** One sync: its state, and buttons to sync now or stop. */
export function SyncRow({
  sync,
  account: of,
}: {
  sync: Sync;
  account: Omit<Account, 'known_as' | 'connected_at'> | undefined;
}) {
  const account = of?.account ?? 'A disconnected account';
  // Errors of an account are shown at the account. The sync continues once they are fixed.
  const isPaused = of !== undefined && of.status !== 'active';
  const isBegun = sync.finished_at === null && sync.status === 'waiting';
  const tag = isPaused ? needsAccount : isBegun ? tags.running : tags[sync.status];
  return (
    <li className="space-y-2.5 px-5 py-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            <span className="min-w-0 truncate">{account}</span>
            <Tag tone={tag.tone}>{tag.text}</Tag>
          </p>
          <Facts sync={sync} account={of} />
        </div>
        <Doing sync={sync} account={account} isPaused={isPaused} />
      </div>
      {sync.status === 'running' && <Progress done={sync.items_done} total={sync.items_total} />}
      {isPaused && (
        <Notice tone="plain">Nothing is read until {account} is linked again. The pages that came stay.</Notice>
      )}
      {sync.failure && !isPaused && <Notice tone="stop">{sync.failure}</Notice>}
      {sync.errors.length > 0 && (
        <Notice tone="wait">
          {sync.errors.length} could not be read, such as {sync.errors[0]?.item}: {sync.errors[0]?.message}
        </Notice>
      )}
      {sync.left_out.length > 0 && <LeftOut counts={sync.left_out} />}
    </li>
  );
}

/** How many items are there without their words, and why. */
function LeftOut({ counts }: { counts: Sync['left_out'] }) {
  const items = counts.reduce((sum, each) => sum + each.items, 0);
  return (
    <details className="text-[13px] text-faint">
      <summary className="cursor-pointer">{items === 1 ? '1 item' : `${items} items`} read in part or left out</summary>
      <ul className="mt-1.5 space-y-1">
        {counts.map(({ why, items: count }) => (
          <li key={why}>
            {count} × {why}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Buttons to sync now, to sync everything again, and to stop. */
function Doing({ sync, account, isPaused }: { sync: Sync; account: string; isPaused: boolean }) {
  const change = { refreshes: ['syncs'], failure: 'Not done' } as const;
  const reading = useCall(syncNow, change);
  const stopping = useCall(stopSync, change);
  const isReading = reading.isBusy || sync.status === 'running';
  const read = (isFromStart: boolean) => () => reading.call({ syncId: sync.sync_id, isFromStart });
  return (
    <div className="flex flex-wrap gap-1">
      {!isPaused && (
        <>
          <Button size="small" isBusy={isReading} onClick={read(false)} aria-label={`Sync now, ${account}`}>
            Sync now
          </Button>
          <Button
            look="quiet"
            size="small"
            disabled={isReading}
            onClick={read(true)}
            title="Reads everything again and finds deleted items."
            aria-label={`Full resync, ${account}`}
          >
            Full resync
          </Button>
        </>
      )}
      <Button
        look="quiet"
        size="small"
        isBusy={stopping.isBusy}
        onClick={() => stopping.call(sync.sync_id)}
        aria-label={`Stop syncing ${account}`}
      >
        Stop
      </Button>
    </div>
  );
}

function Facts({ sync, account }: { sync: Sync; account: Omit<Account, 'known_as' | 'connected_at'> | undefined }) {
  const { source, brain_id, every_minutes, finished_at, pages_changed, failure, status, next_at } = sync;
  const { data: brains } = useQuery(brainsQuery);
  const brain = brains?.find(({ id }) => id === brain_id)?.name;
  return (
    <p className="mt-0.5 text-[13px] text-faint">
      {brain && `To ${brain} · `}
      {formatPace(every_minutes)}
      {finished_at && (
        <>
          {failure === null ? ' · synced ' : ' · tried '}
          <Ago at={finished_at} />
          {failure === null && `, ${pages_changed} changed`}
        </>
      )}
      {status === 'failing' && account?.status === 'active' && (
        <>
          {' · retry '}
          <Ago at={next_at} />
        </>
      )}
      {account && (
        <>
          {' · '}
          <Link
            to="/library"
            search={{ source: `${source}:${account.account}` }}
            className="underline underline-offset-4 hover:text-ink"
          >
            Show pages
          </Link>
        </>
      )}
    </p>
  );
}

function Progress({ done, total }: { done: number; total: number | null }) {
  const text = total === null ? `${done} synced` : `${done} of about ${total} synced`;
  return (
    <div className="space-y-1.5">
      <progress
        className="h-1.5 w-full accent-go"
        value={total === null ? undefined : done}
        max={total ?? undefined}
        aria-label="Sync progress"
      />
      <p className="text-[13px] text-faint" role="status">
        {text}
      </p>
    </div>
  );
}

function formatPace(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? 'every day' : `every ${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'every hour' : `every ${minutes / 60} hours`;
  return minutes === 1 ? 'every minute' : `every ${minutes} minutes`;
}
