import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { Tag } from '../../design/page.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { useMayWrite } from '../../entities/brains.ts';
import { buildMemoryQuery, type WholeMemory } from './curation-requests.ts';
import { salienceWords } from './requests.ts';
import { Highlight } from '../../design/highlight.tsx';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryHistory } from './memory-history.tsx';
import { MemoryLinks } from './memory-links.tsx';
import { MemoryThread } from './memory-thread.tsx';
import { MemoryTwins } from './memory-twins.tsx';
import { TypeLabel } from './type-label.tsx';
import { useCuration } from './use-curation.ts';

/** How a search led to the memory that is open. */
export type FoundBy = { id: string; terms: readonly string[]; parts: readonly string[] };

type Props = {
  id: string | undefined;
  found?: FoundBy | null;
  /** Opens another one in its place; undefined closes. */
  onOpen: (id: string | undefined) => void;
};

/** One memory in full, with its actions. */
export function MemoryDrawer({ id, found = null, onOpen }: Props) {
  return (
    <Drawer isOpen={id !== undefined} onClose={() => onOpen(undefined)} title="Memory">
      {id !== undefined && <Loaded key={id} id={id} found={found} onOpen={onOpen} />}
    </Drawer>
  );
}

function Loaded({ id, found, onOpen }: { id: string; found: FoundBy | null; onOpen: Props['onOpen'] }) {
  const { data, error, isPending, refetch } = useQuery(buildMemoryQuery(id));
  if (isPending) return <Skeleton label="Loading memory" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Details whole={data} found={found} onOpen={onOpen} />;
}

type DetailsProps = { whole: WholeMemory; found: FoundBy | null; onOpen: Props['onOpen'] };

function Details({ whole, found, onOpen }: DetailsProps) {
  const { memory, thread, links, duplicates } = whole;
  const mayWrite = useMayWrite(memory.brain_id) && !memory.archived_at;
  return (
    <div className="flex min-h-full flex-col gap-6">
      {memory.archived_at && <Archived whole={whole} onOpen={onOpen} />}
      <div>
        <p className="text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere">
          <Highlight text={memory.content} terms={found?.terms ?? []} />
        </p>
        {memory.topics.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-1.5">
            {memory.topics.map((topic) => (
              <Tag key={topic}>{topic}</Tag>
            ))}
          </p>
        )}
      </div>
      {mayWrite && <MemoryActions memory={memory} onClose={() => onOpen(undefined)} />}
      {found && (
        <DrawerSection title="Why it matched">
          <ul className="space-y-1 text-sm text-go">
            {found.parts.map((part) => (
              <li key={part} className="wrap-anywhere">
                {part}
              </li>
            ))}
          </ul>
        </DrawerSection>
      )}
      <Facts whole={whole} />
      {memory.triggers.length > 0 && <Triggers triggers={memory.triggers} />}
      {duplicates.length > 0 && <MemoryTwins memory={memory} twins={duplicates} mayWrite={mayWrite} onOpen={onOpen} />}
      {thread.length > 0 && <MemoryThread memory={memory} neighbours={thread} onOpen={onOpen} />}
      <MemoryLinks memory={memory} links={links} mayWrite={mayWrite} onOpen={onOpen} />
      <MemoryHistory whole={whole} />
    </div>
  );
}

function Archived({ whole: { memory }, onOpen }: { whole: WholeMemory; onOpen: Props['onOpen'] }) {
  const { restoring } = useCuration();
  const mayWrite = useMayWrite(memory.brain_id);
  const successor = memory.superseded_by;
  return (
    <Notice tone="wait">
      <p>
        Archived{memory.archived_at && ` on ${formatExactMoment(memory.archived_at)}`}: it no longer comes up.
        {memory.archive_reason && ` ${memory.archive_reason}`}
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        {mayWrite && (
          <Button size="small" isBusy={restoring.isBusy} onClick={() => restoring.call(memory.id)}>
            Restore
          </Button>
        )}
        {successor && (
          <Button size="small" look="quiet" onClick={() => onOpen(successor)}>
            Show its replacement
          </Button>
        )}
      </p>
    </Notice>
  );
}

function Facts({ whole: { memory, recalls } }: { whole: WholeMemory }) {
  const { recall_count: count, last_recalled_at: last } = recalls;
  return (
    <dl className="grid grid-cols-[6.5rem_1fr] gap-y-2 text-sm">
      <Fact name="Type">
        <TypeLabel type={memory.type} />
      </Fact>
      <Fact name="Importance">{salienceWords[memory.salience]}</Fact>
      <Fact name="Brain">{memory.brain_name}</Fact>
      {memory.author && <Fact name="Author">{memory.author}</Fact>}
      <Fact name="Stored by">
        {memory.stored_by_person && memory.stored_by_person !== memory.stored_by
          ? `${memory.stored_by} of ${memory.stored_by_person}`
          : memory.stored_by}
      </Fact>
      {memory.source && <Fact name="Source">{memory.source}</Fact>}
      <Fact name="Date">{formatExactMoment(memory.occurred_at)}</Fact>
      <Fact name="Recalled">
        {count
          ? `${count} ${count === 1 ? 'time' : 'times'}${last ? `, last ${formatExactMoment(last)}` : ''}`
          : 'Never'}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

function Triggers({ triggers }: { triggers: WholeMemory['memory']['triggers'] }) {
  return (
    <DrawerSection title="Triggers">
      <ul className="space-y-2">
        {triggers.map(({ condition, reason }) => (
          <li key={condition} className="rounded-xl bg-sunken px-3.5 py-2.5 text-sm wrap-anywhere">
            <p className="font-medium">{condition}</p>
            <p className="mt-0.5 text-soft">{reason}</p>
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}
