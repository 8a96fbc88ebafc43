import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BrainCircuit } from 'lucide-react';
import type { ReactNode } from 'react';
import { BarList } from '../../design/bar-list.tsx';
import { Button, getButtonClass } from '../../design/button.tsx';
import { FigureRow } from '../../design/figure-row.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { MemoryRow } from '../memory/memory-row.tsx';
import type { Memory } from '../memory/requests.ts';
import { formatTypeName } from '../memory/type-label.tsx';
import { buildOverviewQuery, type BrainOverview } from './analytics-requests.ts';
import { ConflictList } from '../memory/conflict-list.tsx';
import { brainsQuery, type Brain } from '../../entities/brains.ts';
import type { BrainAddress } from './tab-names.ts';

type Props = { brain?: Brain; address: BrainAddress; onChange: (change: BrainAddress) => void };

/** Recent activity and items that need attention: of one brain, with the brains below it, or of all. */
export function Overview({ brain, address, onChange }: Props) {
  const { days = 7, below } = address;
  const { data: brains = [] } = useQuery(brainsQuery);
  const hasChildren = brains.some(({ parent_brain_id }) => brain && parent_brain_id === brain.id);
  const overview = useQuery(buildOverviewQuery(brain?.id, days, Boolean(below && hasChildren)));
  return (
    <div className="space-y-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div role="group" aria-label="Period" className="flex gap-1">
          {([7, 30] as const).map((each) => (
            <Button
              key={each}
              size="small"
              look={each === days ? 'plain' : 'quiet'}
              aria-pressed={each === days}
              onClick={() => onChange({ days: each === 7 ? undefined : each })}
            >
              Last {each} days
            </Button>
          ))}
        </div>
        {hasChildren && (
          <label className="flex cursor-pointer items-center gap-2 text-sm text-soft">
            <input
              type="checkbox"
              checked={Boolean(below)}
              onChange={(event) => onChange({ below: event.target.checked || undefined })}
              className="size-4 accent-go"
            />
            Include sub-brains
          </label>
        )}
      </div>
      {overview.isPending && <Skeleton label="Loading the overview" />}
      {overview.error && <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.data && <Parts of={overview.data} brainId={brain?.id} onOpen={(memory) => onChange({ memory })} />}
    </div>
  );
}

type PartsProps = { of: BrainOverview; brainId: string | undefined; onOpen: (id: string) => void };

function Parts({ of: answer, brainId, onOpen }: PartsProps) {
  const { decisions, constraints, priority_ingredients: priorities, conflicts, constellations } = answer;
  const isQuiet = !answer.memories_created && !conflicts.length && !answer.ingestion_stats.length;
  if (isQuiet)
    return (
      <Card>
        <EmptyState icon={<BrainCircuit />} title="Nothing new in this period">
          New memories of this brain appear here.
        </EmptyState>
      </Card>
    );
  return (
    <>
      <FigureRow
        figures={[
          { name: 'New memories', value: answer.memories_created },
          { name: 'Decisions', value: answer.by_type['decision'] ?? 0 },
          { name: 'Constraints', value: answer.by_type['constraint'] ?? 0 },
          { name: 'Contradictions', value: conflicts.length },
        ]}
      />
      {conflicts.length > 0 && (
        <Section
          title="Contradictions"
          lead="These contradict each other. Archive the outdated one, or keep both."
          action={
            <Link
              to="/memory/clean-up/contradictions"
              search={{ brain: brainId }}
              className={getButtonClass('quiet', 'small')}
            >
              All contradictions
            </Link>
          }
        >
          <ConflictList conflicts={conflicts} onOpen={onOpen} />
        </Section>
      )}
      <MemoryList title="Important" memories={priorities} onOpen={onOpen} />
      <Shares of={answer} />
      <MemoryList title="Decisions" memories={decisions} onOpen={onOpen} />
      <MemoryList title="Constraints" memories={constraints} onOpen={onOpen} />
      {constellations.length > 0 && (
        <Section title="Topics">
          <Card className="p-5">
            <BarList
              label="Topics"
              bars={constellations.map(({ label, memory_count }) => ({ name: label, value: memory_count }))}
            />
          </Card>
        </Section>
      )}
    </>
  );
}

/** New items by type and by source. */
function Shares({ of: answer }: { of: BrainOverview }) {
  const types = Object.entries(answer.by_type).filter(([, value]) => value > 0);
  return (
    <div className="grid gap-8 sm:grid-cols-2">
      <Section title="By type">
        <Card className="p-5">
          <BarList
            label="New memories by type"
            bars={types.map(([name, value]) => ({ name: formatTypeName(name), value }))}
          />
        </Card>
      </Section>
      <Section title="Sources">
        <Card className="p-5">
          <BarList
            label="Memories by source"
            bars={answer.ingestion_stats.map(({ source, memories, pages }) => ({
              name: source === 'human' ? 'People and agents' : formatTypeName(source),
              value: memories + pages,
              ...(pages > 0 && { hint: pages === 1 ? '1 page' : `${pages} pages` }),
            }))}
          />
        </Card>
      </Section>
    </div>
  );
}

const shownAtMost = 5;

type MemoryListProps = { title: string; memories: readonly Memory[]; onOpen: (id: string) => void };

function MemoryList({ title, memories, onOpen }: MemoryListProps): ReactNode {
  if (!memories.length) return null;
  return (
    <Section title={title}>
      <Card>
        <ul className="divide-y divide-line overflow-hidden rounded-2xl">
          {memories.slice(0, shownAtMost).map((memory) => (
            <MemoryRow key={memory.id} memory={memory} onOpen={() => onOpen(memory.id)} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}
