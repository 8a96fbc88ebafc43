import { useQuery } from '@tanstack/react-query';
import { List, Waypoints } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../design/button.tsx';
import { GridPage } from '../../design/grid-page.tsx';
import { Card } from '../../design/page.tsx';
import { EmptyState, Skeleton } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { listGraphConstellations } from './graph-figures.ts';
import { ConstellationLegend, RelationLegend } from './graph-legend.tsx';
import { GraphList } from './graph-list.tsx';
import { buildGraphQuery, mostNodes, type MemoryGraph } from './graph-requests.ts';
import { MemoryDrawer } from './memory-drawer.tsx';

const GraphCanvas = lazy(() => import('./graph-canvas.tsx').then((loaded) => ({ default: loaded.GraphCanvas })));

/** Search parameters of the graph. */
export type GraphAddress = {
  brain?: string | undefined;
  constellation?: string | undefined;
  view?: 'list' | undefined;
  memory?: string | undefined;
};

type Props = {
  address: GraphAddress;
  /** Changes search parameters. */
  onChange: (change: GraphAddress) => void;
};

/** The memories of a brain and their links, as a picture or a list. */
export function GraphPage({ address, onChange }: Props) {
  const query = useQuery(buildGraphQuery(address.brain));
  const { data: graph } = query;
  return (
    <GridPage
      title="Graph"
      lead="Related memories, coloured by topic."
      noun="graph"
      query={query}
      action={<GraphActions address={address} onChange={onChange} />}
    >
      {graph?.nodes.length === 0 && (
        <Card>
          <EmptyState icon={<Waypoints />} title="No related memories yet">
            Related memories are linked when they are stored. They appear here.
          </EmptyState>
        </Card>
      )}
      {graph && graph.nodes.length > 0 && <Drawn graph={graph} address={address} onChange={onChange} />}
      <MemoryDrawer id={address.memory} onOpen={(memory) => onChange({ memory })} />
    </GridPage>
  );
}

function GraphActions({ address, onChange }: Props) {
  const isList = address.view === 'list';
  return (
    <>
      <div className="min-w-0 flex-1 sm:w-56">
        <BrainField
          label="Brain"
          isLabelHidden
          value={address.brain ?? ''}
          onChange={(event) => onChange({ brain: event.target.value || undefined, constellation: undefined })}
        >
          <option value="">Your personal brain</option>
        </BrainField>
      </div>
      <Button
        icon={isList ? <Waypoints className="size-4" aria-hidden /> : <List className="size-4" aria-hidden />}
        onClick={() => onChange({ view: isList ? undefined : 'list' })}
      >
        {isList ? 'Show graph' : 'Show list'}
      </Button>
    </>
  );
}

function Drawn({ graph, address, onChange }: Props & { graph: MemoryGraph }) {
  const constellations = listGraphConstellations(graph);
  const chosen = constellations.find(({ id }) => id === address.constellation)?.id ?? null;
  const open = (memory: string) => onChange({ memory });
  return (
    <div className="space-y-4">
      <ConstellationLegend
        constellations={constellations}
        chosen={chosen}
        onChoose={(constellation) => onChange({ constellation })}
      />
      {address.view === 'list' ? (
        <GraphList graph={graph} constellation={chosen} onOpen={open} />
      ) : (
        <>
          <Suspense fallback={<Skeleton label="Loading graph" />}>
            <GraphCanvas graph={graph} constellation={chosen} onOpen={open} />
          </Suspense>
          <RelationLegend graph={graph} />
        </>
      )}
      {graph.nodes.length === mostNodes && (
        <p className="text-[13px] text-faint">The newest {mostNodes} memories are shown.</p>
      )}
    </div>
  );
}
