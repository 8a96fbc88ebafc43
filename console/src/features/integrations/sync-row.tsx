import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Tag } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { brainsQuery } from '../brains/requests.ts';
import { readNow, stopSync, type Sync } from './requests.ts';

const tags = {
  waiting: { text: 'In step', tone: 'go' },
  running: { text: 'Reading', tone: 'wait' },
  failing: { text: 'Tried again later', tone: 'stop' },
  stopped: { text: 'Stopped', tone: 'stop' },
} as const;

/** One account that is kept in step: how it goes, and the way to read now or to stop. */
export function SyncRow({ sync, account }: { sync: Sync; account: string }) {
  const queryClient = useQueryClient();
  const change = {
    onError: (error: unknown) => tellFailure('That did not work', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['syncs'] }),
  };
  const reading = useMutation({ mutationFn: readNow, ...change });
  const stopping = useMutation({ mutationFn: stopSync, ...change });
  const isReading = reading.isPending || sync.status === 'running';
  const read = (isFromStart: boolean) => () => reading.mutate({ syncId: sync.sync_id, isFromStart });
  const tag = sync.finished_at === null && sync.status === 'waiting' ? tags.running : tags[sync.status];
  return (
    <li className="space-y-2.5 px-5 py-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            <span className="min-w-0 truncate">{account}</span>
            <Tag tone={tag.tone}>{tag.text}</Tag>
          </p>
          <Facts sync={sync} />
        </div>
        <div className="flex flex-wrap gap-1">
          <Button size="small" isBusy={isReading} onClick={read(false)} aria-label={`Read now, ${account}`}>
            Read now
          </Button>
          <Button
            look="quiet"
            size="small"
            disabled={isReading}
            onClick={read(true)}
            title="Reads everything once more, and notices what was deleted there."
            aria-label={`Read all again, ${account}`}
          >
            Read all again
          </Button>
          <Button
            look="quiet"
            size="small"
            isBusy={stopping.isPending}
            onClick={() => stopping.mutate(sync.sync_id)}
            aria-label={`Stop keeping ${account} in step`}
          >
            Stop
          </Button>
        </div>
      </div>
      {sync.status === 'running' && <Progress done={sync.items_done} total={sync.items_total} />}
      {sync.failure && <Notice tone="stop">{sync.failure}</Notice>}
      {sync.errors.length > 0 && (
        <Notice tone="wait">
          {sync.errors.length} could not be read, such as {sync.errors[0]?.item}: {sync.errors[0]?.message}
        </Notice>
      )}
    </li>
  );
}

function Facts({ sync: { brain_id, every_minutes, finished_at, pages_changed } }: { sync: Sync }) {
  const { data: brains } = useQuery(brainsQuery);
  const brain = brains?.find(({ id }) => id === brain_id)?.name;
  return (
    <p className="mt-0.5 text-[13px] text-faint">
      {brain && `Into ${brain}, `}
      {paceOf(every_minutes)}
      {finished_at && (
        <>
          {' · read '}
          <Ago at={finished_at} />
          {`, ${pages_changed} changed`}
        </>
      )}
    </p>
  );
}

function Progress({ done, total }: { done: number; total: number | null }) {
  const text = total === null ? `${done} read` : `${done} of about ${total} read`;
  return (
    <div className="space-y-1.5">
      <progress
        className="h-1.5 w-full accent-go"
        value={total === null ? undefined : done}
        max={total ?? undefined}
        aria-label="Read so far"
      />
      <p className="text-[13px] text-faint" role="status">
        {text}
      </p>
    </div>
  );
}

function paceOf(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? 'every day' : `every ${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'every hour' : `every ${minutes / 60} hours`;
  return minutes === 1 ? 'every minute' : `every ${minutes} minutes`;
}
