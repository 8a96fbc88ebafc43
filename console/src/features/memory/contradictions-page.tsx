import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { brainsQuery, useMayWrite } from '../../entities/brains.ts';
import { CleanUpFilters } from './clean-up-filters.tsx';
import { ConflictRow, getConflictKey, kindNames } from './conflict-list.tsx';
import { buildContradictionsQuery, type DismissedKind } from './curation-requests.ts';
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
  const kinds = list.data?.pages[0]?.dismissed_kinds ?? [];
  const open = (id: string | undefined) => onChange({ ...address, memory: id });
  return (
    <ListPage
      title="Contradictions"
      lead={
        hidden
          ? 'Agents and overviews do not show these as contradictions.'
          : 'Memories that contradict each other. Archive the outdated one, or keep both.'
      }
      noun="contradictions"
      query={{ ...list, data: list.data?.pages.flatMap(({ contradictions }) => contradictions) }}
      getKey={getConflictKey}
      renderRow={(conflict) => (
        <ConflictRow conflict={conflict} onOpen={open} hiddenKinds={hidden ? kinds : undefined} />
      )}
      filters={
        <CleanUpFilters
          chosen={hidden ? 'hidden' : 'contradictions'}
          brain={brain}
          onBrain={(chosen) => onChange({ ...address, brain: chosen })}
        />
      }
      empty={
        hidden
          ? {
              icon: <Scale />,
              title: 'No hidden pairs',
              children: 'Contradictions that you mark as both true appear here.',
            }
          : {
              icon: <Scale />,
              title: 'No contradictions',
              children: 'New memories that contradict an earlier one appear here.',
            }
      }
    >
      {hidden && kinds.length > 0 && <HiddenKinds kinds={kinds} />}
      <MemoryDrawer id={memory} onOpen={open} />
    </ListPage>
  );
}

function HiddenKinds({ kinds }: { kinds: readonly DismissedKind[] }) {
  return (
    <div className="mt-9">
      <Section title="Hidden kinds" lead="New contradictions of these kinds are hidden, too.">
        <Card>
          <ul className="divide-y divide-line">
            {kinds.map((kind) => (
              <HiddenKind key={`${kind.brain_id} ${kind.kind}`} dismissed={kind} />
            ))}
          </ul>
        </Card>
      </Section>
    </div>
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
