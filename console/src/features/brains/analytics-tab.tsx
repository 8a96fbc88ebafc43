import { useQuery } from '@tanstack/react-query';
import { BarList } from '../../design/bar-list.tsx';
import { FigureRow } from '../../design/figure-row.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { MemoryRow } from '../memory/memory-row.tsx';
import { formatTypeName } from '../memory/type-label.tsx';
import { buildBrainAnalyticsQuery, buildTreeAnalyticsQuery, type Contributor } from './analytics-requests.ts';
import { ConflictList } from '../memory/conflict-list.tsx';
import { ActivityChart } from './activity-chart.tsx';
import type { Brain } from '../../entities/brains.ts';

type Props = { brain: Brain; onOpen: (id: string) => void };

/** The figures of a brain, and those of the tree below it where there is one. */
export function AnalyticsTab({ brain, onOpen }: Props) {
  const { data, error, isPending, refetch } = useQuery(buildBrainAnalyticsQuery(brain.id));
  if (isPending) return <Skeleton label="Loading analytics" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const recalled = data.high_impact_memories.filter(({ recall_count }) => recall_count > 0);
  return (
    <div className="space-y-8">
      <FigureRow
        figures={[
          { name: 'Memories', value: data.total_memories },
          { name: 'Archived', value: data.archived_memories },
          { name: 'Recalls', value: data.total_recalls },
          { name: 'Contributors', value: data.top_contributors.length },
        ]}
      />
      <Section title="Last 30 days">
        <Card className="p-4 sm:p-5">
          <ActivityChart days={data.daily_activity} />
        </Card>
      </Section>
      <div className="grid gap-8 sm:grid-cols-2">
        <Section title="By type">
          <Card className="p-5">
            <BarList
              label="Memories by type"
              bars={Object.entries(data.by_type).map(([name, value]) => ({ name: formatTypeName(name), value }))}
            />
          </Card>
        </Section>
        <Section title="Top contributors">
          <Card className="p-5">
            <Contributors of={data.top_contributors} />
          </Card>
        </Section>
      </div>
      {recalled.length > 0 && (
        <Section title="Most recalled">
          <Card>
            <ul className="divide-y divide-line overflow-hidden rounded-2xl">
              {recalled.map((memory) => (
                <MemoryRow
                  key={memory.id}
                  memory={memory}
                  why={[`recalled ${memory.recall_count} ${memory.recall_count === 1 ? 'time' : 'times'}`]}
                  onOpen={() => onOpen(memory.id)}
                />
              ))}
            </ul>
          </Card>
        </Section>
      )}
      {!brain.is_personal && <Tree brain={brain} onOpen={onOpen} />}
    </div>
  );
}

function Contributors({ of: contributors }: { of: readonly Contributor[] }) {
  if (!contributors.length) return <p className="text-sm text-faint">No contributors yet.</p>;
  return (
    <BarList
      label="Contributors"
      bars={contributors.map(({ names: [name, ...others], memories }) => ({
        name: name ?? 'Somebody',
        value: memories,
        ...(others.length > 0 && { hint: others.join(', ') }),
      }))}
    />
  );
}

function Tree({ brain, onOpen }: Props) {
  const { data, error, refetch } = useQuery(buildTreeAnalyticsQuery(brain.id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data?.child_brains) return null;
  return (
    <div className="space-y-8 border-t border-line pt-8">
      <Section title="With sub-brains" lead={`${brain.name} and ${data.child_brains} sub-brains.`}>
        <div className="space-y-4">
          <FigureRow
            figures={[
              { name: 'Memories', value: data.total_memories },
              { name: 'Recalls', value: data.total_recalls },
              { name: 'Contributors', value: data.unique_contributors },
            ]}
          />
          <Card className="p-4 sm:p-5">
            <ActivityChart days={data.daily_activity} />
          </Card>
          <Card className="p-5">
            <BarList
              label="Memories of each brain"
              bars={data.brains.map(({ name, memories, recalls }) => ({
                name,
                value: memories,
                hint: `${recalls} recalls`,
              }))}
            />
          </Card>
        </div>
      </Section>
      {data.conflicts.length > 0 && (
        <Section title="Contradictions between brains">
          <ConflictList conflicts={data.conflicts} onOpen={onOpen} />
        </Section>
      )}
    </div>
  );
}
