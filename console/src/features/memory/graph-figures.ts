import type { MemoryGraph } from './graph-requests.ts';

/** The colours of `style.css` that tell constellations apart, largest first; the rest share one. */
const colours = 8;
export const restColour = 'var(--color-faint)';

export type Constellation = { id: string; label: string; count: number; colour: string };

/** The constellations of a graph, largest first, each with a colour of its own as far as they go. */
export function listGraphConstellations({ nodes, constellations }: MemoryGraph): Constellation[] {
  return constellations
    .map(({ id, label }) => ({ id, label, count: nodes.filter((node) => node.constellation_id === id).length }))
    .toSorted((one, other) => other.count - one.count || one.label.localeCompare(other.label))
    .map((each, at) => ({ ...each, colour: at < colours ? `var(--data-${at + 1})` : restColour }));
}

/** How many links each memory has. */
export function countLinks({ links }: MemoryGraph): ReadonlyMap<string, number> {
  const degrees = new Map<string, number>();
  for (const end of links.flatMap(({ source, target }) => [source, target]))
    degrees.set(end, (degrees.get(end) ?? 0) + 1);
  return degrees;
}
