import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { BackLink } from '../../design/back-link.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { ConflictList, kindNames } from './conflict-list.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { useMayWrite } from '../../entities/brains.ts';
import { buildContradictionsQuery, type ContradictionsAnswer, type DismissedKind } from './curation-requests.ts';
import { MemoryDrawer } from './memory-drawer.tsx';
import { useReopeningContradiction } from './use-dismissing-contradiction.ts';

/** Search parameters of the contradictions page. */
export type ContradictionsAddress = {
  brain?: string | undefined;
  /** Hidden pairs instead of those that are shown. */
  hidden?: true | undefined;
  memory?: string | undefined;
};

type Props = { address: ContradictionsAddress; onChange: (address: ContradictionsAddress) => void };

/** Contradictions of one brain or of all. Hidden ones can be shown again. */
export function ContradictionsPage({ address, onChange }: Props) {
  const { brain, hidden, memory } = address;
  const list = useInfiniteQuery(buildContradictionsQuery(brain, Boolean(hidden)));
  const open = (id: string | undefined) => onChange({ ...address, memory: id });
  return (
    <Page
      title="Contradictions"
      isWide
      lead="Memories that contradict each other. Archive the outdated one, or keep both."
      back={<BackLink to="/memory">All memories</BackLink>}
      action={
        <div className="w-full sm:w-56">
          <BrainField
            label="Brain"
            isLabelHidden
            value={brain ?? ''}
            onChange={(event) => onChange({ ...address, brain: event.target.value || undefined })}
          >
            <option value="">All brains</option>
          </BrainField>
        </div>
      }
    >
      <div role="group" aria-label="Contradictions" className="mb-4 flex gap-1">
        {[undefined, true as const].map((each) => (
          <Button
            key={String(each)}
            size="small"
            look={each === hidden ? 'plain' : 'quiet'}
            aria-pressed={each === hidden}
            onClick={() => onChange({ ...address, hidden: each })}
          >
            {each ? 'Hidden' : 'Open'}
          </Button>
        ))}
      </div>
      {list.isPending && <Skeleton label="Loading contradictions" />}
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && <Found pages={list.data.pages} isHidden={Boolean(hidden)} onOpen={open} />}
      {list.hasNextPage && (
        <div className="mt-4 text-center">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <MemoryDrawer id={memory} onOpen={open} />
    </Page>
  );
}

type FoundProps = {
  pages: readonly ContradictionsAnswer[];
  isHidden: boolean;
  onOpen: (id: string) => void;
};

function Found({ pages, isHidden, onOpen }: FoundProps) {
  const conflicts = pages.flatMap(({ contradictions }) => contradictions);
  const kinds = pages[0]?.dismissed_kinds ?? [];
  if (!isHidden)
    return conflicts.length ? <ConflictList conflicts={conflicts} onOpen={onOpen} /> : <Empty isHidden={false} />;
  if (!conflicts.length && !kinds.length) return <Empty isHidden />;
  return (
    <div className="space-y-8">
      {kinds.length > 0 && (
        <Section title="Hidden kinds" lead="New contradictions of these kinds are hidden, too.">
          <Card>
            <ul className="divide-y divide-line overflow-hidden rounded-2xl">
              {kinds.map((kind) => (
                <HiddenKind key={`${kind.brain_id} ${kind.kind}`} dismissed={kind} />
              ))}
            </ul>
          </Card>
        </Section>
      )}
      {conflicts.length > 0 && (
        <Section title="Hidden pairs" lead="Agents and overviews do not show these as contradictions.">
          <ConflictList conflicts={conflicts} onOpen={onOpen} hiddenKinds={kinds} />
        </Section>
      )}
    </div>
  );
}

function Empty({ isHidden }: { isHidden: boolean }) {
  return (
    <Card>
      <EmptyState icon={<Scale />} title={isHidden ? 'Nothing hidden' : 'No contradictions'}>
        {isHidden
          ? 'Contradictions that you mark as both true, or whose kind you hide, appear here.'
          : 'New memories that contradict an earlier one appear here.'}
      </EmptyState>
    </Card>
  );
}

function HiddenKind({ dismissed }: { dismissed: DismissedKind }) {
  const { brain_id, kind, dismissed_at, dismissed_by } = dismissed;
  const { data: brains = [] } = useQuery(brainsQuery);
  const reopening = useReopeningContradiction();
  const mayWrite = useMayWrite(brain_id);
  const name = kindNames[kind];
  const label = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="text-sm">{label}</p>
        <p className="mt-0.5 text-[13px] text-faint wrap-anywhere">
          {brains.find(({ id }) => id === brain_id)?.name} · hidden by {dismissed_by} · <Ago at={dismissed_at} />
        </p>
      </div>
      {mayWrite && (
        <Button
          size="small"
          aria-label={`Show again: ${name}`}
          isBusy={reopening.isBusy}
          onClick={() => reopening.call({ brain_id, kind })}
        >
          Show again
        </Button>
      )}
    </li>
  );
}
