import { Card } from '../../design/page.tsx';
import { listGraphConstellations, countLinks } from './graph-figures.ts';
import type { MemoryGraph } from './graph-requests.ts';
import { TypeLabel } from './type-label.tsx';

type Props = { graph: MemoryGraph; constellation: string | null; onOpen: (id: string) => void };

/** The graph for the keyboard and for screen readers: each memory with its links counted, those with most first. */
export function GraphList({ graph, constellation, onOpen }: Props) {
  const degrees = countLinks(graph);
  const constellations = new Map(listGraphConstellations(graph).map((each) => [each.id, each]));
  const nodes = graph.nodes
    .filter(({ constellation_id }) => constellation === null || constellation_id === constellation)
    .toSorted((one, other) => (degrees.get(other.id) ?? 0) - (degrees.get(one.id) ?? 0));
  return (
    <Card>
      <ul aria-label="Memories of the graph" className="divide-y divide-line overflow-hidden rounded-2xl">
        {nodes.map(({ id, label, type, constellation_id }) => {
          const degree = degrees.get(id) ?? 0;
          const group = constellations.get(constellation_id ?? '');
          return (
            <li key={id}>
              <button
                onClick={() => onOpen(id)}
                className="block w-full px-4 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
              >
                <span className="block text-[15px] wrap-anywhere">{label}</span>
                <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
                  <TypeLabel type={type} />
                  <span>
                    {degree} {degree === 1 ? 'link' : 'links'}
                  </span>
                  {group && (
                    <span className="flex items-center gap-1.5">
                      <span aria-hidden className="size-2 rounded-full" style={{ background: group.colour }} />
                      {group.label}
                    </span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
